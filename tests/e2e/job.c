#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

enum { ARGS_MAX = 30 };

static pid_t shells_job;

static void shell_hangup(int sig)
{
    kill(-shells_job, sig);
}

static void shell_continue(int sig)
{
    (void)sig;
    tcsetpgrp(0, shells_job);
    kill(-shells_job, SIGCONT);
}

static void shell_background(int sig)
{
    (void)sig;
    kill(-shells_job, SIGCONT);
}

static void shell(const struct e2e_case *c, int tell, const char *weft, char **argv, char **env)
{
    struct termios modes;
    tcgetattr(0, &modes);
    signal(SIGTTOU, SIG_IGN);
    shells_job = fork();
    if (shells_job == 0) {
        setpgid(0, 0);
        tcsetpgrp(0, getpid());
        signal(SIGTTOU, SIG_DFL);
        signal(SIGINT, SIG_DFL); /* whoever started the tests may ignore these */
        signal(SIGQUIT, SIG_DFL);
        signal(SIGHUP, c->ignore_hangup ? SIG_IGN : SIG_DFL);
        if (c->stdin_null) {
            dup2(open("/dev/null", O_RDONLY), 0);
        }
        for (int fd = 3; fd < 64; fd++) {
            close(fd);
        }
        execve(weft, argv, env);
        _exit(127);
    }
    setpgid(shells_job, shells_job);
    struct sigaction hangup = { .sa_handler = c->ignore_hangup ? SIG_IGN : shell_hangup };
    struct sigaction go_on = { .sa_handler = shell_continue };
    struct sigaction background = { .sa_handler = shell_background };
    sigaction(SIGHUP, &hangup, NULL);
    sigaction(SIGUSR1, &go_on, NULL);
    sigaction(SIGUSR2, &background, NULL);
    struct job_news news = { .pid = shells_job, .status = -1 };
    while (write(tell, &news, sizeof news) == (ssize_t)sizeof news) {
        pid_t got;
        do {
            got = waitpid(shells_job, &news.status, WUNTRACED);
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            break;
        }
        tcsetpgrp(0, getpid());
        if (!WIFSTOPPED(news.status)) {
            (void)!write(tell, &news, sizeof news);
            break;
        }
    }
    _exit(0);
}

static char **environment(const struct e2e_case *c)
{
    static const char *const plain[] = { "LC_ALL=C.UTF-8", "TERM=xterm-256color",
                                         "PATH=/usr/bin:/bin", "HOME=/dev/null/nobody", NULL };
    static const char *const kept[] = { "WEFT_DATA_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                        "LSAN_OPTIONS", NULL };
    char **env = mem_alloc(64, sizeof *env);
    size_t n = 0;
    for (int i = 0; plain[i] != NULL; i++) {
        env[n++] = mem_strdup(plain[i]);
    }
    for (int i = 0; kept[i] != NULL; i++) {
        const char *value = getenv(kept[i]);
        if (value != NULL) {
            struct text t = { 0 };
            text_addf(&t, "%s=%s", kept[i], value);
            env[n++] = t.s;
        }
    }
    for (int i = 0; c->env != NULL && c->env[i] != NULL; i++) {
        size_t name = strcspn(c->env[i], "=");
        for (size_t j = 0; j < n; j++) {
            if (strncmp(env[j], c->env[i], name) == 0 && env[j][name] == '=') {
                free(env[j]);
                env[j] = env[--n];
                env[n] = NULL;
                j--;
            }
        }
        if (c->env[i][name] == '=') {
            env[n++] = mem_strdup(c->env[i]);
        }
    }
    env[n] = NULL;
    return env;
}

static void session_leader(const struct e2e_case *c, int slave, int tell, const char *weft,
                           char **argv, char **env)
{
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    int out = fcntl(tell, F_DUPFD_CLOEXEC, 100);
    dup2(slave, 0);
    dup2(slave, 1);
    dup2(slave, 2);
    for (int fd = 3; fd < 100; fd++) {
        close(fd);
    }
    shell(c, out, weft, argv, env);
}

static void free_words(char **words)
{
    for (int i = 0; words[i] != NULL; i++) {
        free(words[i]);
    }
    free(words);
}

pid_t job_start(const struct e2e_case *c, const char *weft, int slave, int *tell)
{
    char **argv = mem_alloc(ARGS_MAX + 2, sizeof *argv);
    argv[0] = mem_strdup(weft);
    for (int i = 0; c->args != NULL && c->args[i] != NULL && i < ARGS_MAX; i++) {
        argv[i + 1] = mem_strdup(c->args[i]);
    }
    char **env = environment(c);
    int ends[2];
    if (pipe(ends) != 0) {
        abort();
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t pid = fork();
    if (pid == 0) {
        session_leader(c, slave, ends[1], weft, argv, env);
    }
    close(ends[1]);
    *tell = ends[0];
    free_words(argv);
    free_words(env);
    return pid;
}
