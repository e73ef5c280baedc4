/* Drives a fuzz target without libFuzzer: its corpus, and damaged copies of it, always the same. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"

enum { COPIES = 200, INPUT_MAX = 1 << 16 };

/* Replaces, removes or repeats a few bytes. Returns the new size. */
static size_t damage(uint8_t *data, size_t size, uint64_t luck)
{
    for (uint64_t i = 0; i <= luck % 4 && size > 0; i++) {
        luck = rng_mix(luck + i);
        size_t at = (size_t)(luck % size);
        switch (luck >> 32 & 3) {
        case 0:
            data[at] = (uint8_t)(luck >> 40);
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << (luck >> 40 & 7));
            break;
        case 2:
            memmove(data + at, data + at + 1, size - at - 1);
            size--;
            break;
        default:
            memmove(data + at, data, size - at);
            break;
        }
    }
    return size;
}

static void replay(const char *path)
{
    char *data = NULL;
    size_t size = 0;
    if (!file_read(path, INPUT_MAX, &data, &size, NULL)) {
        (void)fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    (void)LLVMFuzzerTestOneInput((const uint8_t *)data, size);
    for (uint64_t i = 0; i < COPIES; i++) {
        uint8_t *copy = mem_dup(data, size);
        size_t left = damage(copy, size, rng_hash_bytes(data, size, i));
        (void)LLVMFuzzerTestOneInput(copy, left);
        free(copy);
    }
    free(data);
}

int main(int argc, char **argv)
{
    int count = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        (void)fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char path[4096];
        if (entry->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
            replay(path);
            (void)printf("ok %d - %s and %d damaged copies\n", ++count, entry->d_name, COPIES);
        }
    }
    (void)closedir(folder);
    (void)printf("1..%d\n", count);
    return count > 0 ? 0 : 1;
}
