/* The lab on a terminal and in sentences: starting, building, switching, keeping. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

#define LAB(...) WORDS("lab", __VA_ARGS__)
#define LEAVE    KEYS("q"), EXIT(0)
#define CREDITS  KEYS("\r"), SEE("weft  InfiniBand credits") /* the first preset */

/* clang-format off */
static const struct e2e_case cases[] = {
    { "a preset is chosen, and plays", .args = WORDS("lab"),
      .steps = STEPS(SEE("[start from]"), SEE("> 2004  InfiniBand credits"), CREDITS, SEE("a new run: 5 hosts, 1 switch, 5 cables"), KEYS("n"), SEE("no cards"), LEAVE) },
    { "from the first screen and back", .args = WORDS("--ascii"),
      .steps = STEPS(SEE("search"), KEYS("L"), SEE("[start from]"), KEYS("\r"), SEE("weft  InfiniBand credits"), KEYS("q"), SEE("search"), LEAVE) },
    { "another fabric is another run", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("L"), SEE("[build]"), SEE("8 hosts, 4 switches"), KEYS("jl"), SEE("12 hosts, 5 switches"), KEYS("\033"), SEE("a new run: 12 hosts"), LEAVE) },
    { "a value is typed, and mended", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("L"), SEE("[build]"), KEYS("jjj\r"), SEE("value:"), KEYS("x\r"), SEE("a whole number, please"), KEYS("\1778\r"), SEE("16 hosts"), KEYS("\033"), SEE("a new run: 16"), LEAVE) },
    { "what cannot be built is said", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("L"), SEE("[build]"), KEYS("jjj\r"), SEE("value:"), KEYS("1024\r"), SEE("2,048 hosts"), KEYS("kk\r"), SEE("value:"), KEYS("1024\r"), SEE("8192"), KEYS("\033"), SEE("2,048 hosts"),
                     KEYS("\r4\r"), SEE("4,096 hosts"), KEYS("j"), KEYS("j\r4\r"), SEE("16 hosts"), KEYS("\033"), SEE("a new run"), LEAVE) },
    { "every switch, and why some do nothing", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("S"), SEE("of this card"), SEE("> rank_order"), SEE("no effect: flow_control is pfc"), KEYS("jl"), SEE("* credits"), SEE("no effect: flow_control is credits"), KEYS("\t"), SEE("[break]"), SEE("hold NODE on|off"),
                     KEYS("\033"), GONE("hold NODE"), KEYS("u"), SEE("undone"), LEAVE) },
    { "a fault is completed", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("S"), SEE("[switches]"), KEYS("\t"), SEE("[break]"), KEYS("jjjj\r"), SEE(":drop_nth"), KEYS("\033:slow_g\t"), SEE(":slow_gpu"), KEYS("g\t\t"), SEE(":slow_gpu g2"), KEYS(" 2\r"), SEE("g2 computes 2 x as long"), LEAVE) },
    { "typed behind a colon, completed and mended", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS(":se\t"), SEE("set KNOB VALUE"), KEYS("xof\t"), SEE("default 100 KB"), KEYS("\033"), GONE("default 100 KB"), KEYS(":set xoff 5\r"), SEE("write a size"), KEYS("KB\r"), SEE("done: xoff 5 KB"), KEYS(":auto-slow off\r"), SEE("never slows down"), LEAVE) },
    { "a lesson has its switches, too", .args = WORDS("./try-it.lua"),
      .steps = STEPS(SEE("card 1 of 4"), KEYS("S"), SEE("[switches]"), KEYS("\033"), GONE("[switches]"), KEYS("L"), SEE("weft lab"), LEAVE) },
    { "how true it is", .args = LAB("ring"),
      .steps = STEPS(SEE("Ring all-reduce"), KEYS("M"), SEE("[true size]"), SEE("100 Gb/s, 100 m"), KEYS("jjj"), SEE("for 334 ns"), KEYS("j"), SEE("is 4.29 s: 256 times as long"), KEYS("\t"), SEE("[modelled]"), SEE("not in this scene: ecn is off"), KEYS("\t"), SEE("[not modelled]"), KEYS("\t"), SEE("[constants]"), SEE("our choice"),
                     KEYS("\r"), SEE("[switches]"), SEE("> flow_control"), KEYS("\033"), GONE("[switches]"), KEYS(":honest\r"), SEE("[true size]"), KEYS("q"), GONE("[true size]"), LEAVE) },
    { "narrow, in ASCII", .args = LAB("--ascii"), .rows = 12, .cols = 40,
      .steps = STEPS(SEE("[start from]"), ASCII_ONLY, KEYS("\r"), SEE("weft  InfiniBand"), KEYS("L"), SEE("[build]"), ASCII_ONLY, KEYS("\t"), SEE("[switches]"), RESIZE(3, 2), RESIZE(40, 12), KEYS("\033"), GONE("[switches]"), LEAVE) },
    { "without colour", .args = WORDS("lab"), .env = WORDS("NO_COLOR=1"), .steps = STEPS(SEE("[start from]"), COLOURLESS, KEYS("\033"), GONE("[start from]"), LEAVE) },
    { "in sentences: built, set, refused", .no_screen = true, .args = LAB("infiniband-credits", "--plain"), .rows = 80,
      .steps = STEPS(SEE("The lab."), SEE("5 hosts, 1 switch"), SEE("build the fabric"), KEYS("build\n"), SEE("2   hosts: 5"), KEYS("2 x\n"), SEE("a whole number, please"), KEYS("2 6\n"), SEE("In all: 6 hosts"), KEYS("\n"), SEE("InfiniBand credits: 6 hosts"),
                     SEE("type a command"), KEYS("type\n"), SEE("A command, like"), KEYS("set vl_buffer lots\n"), SEE("vl_buffer"), KEYS("type\nset vl_buffer 32KiB\n"), SEE("The run starts again."), KEYS("q\n"), EXIT(0)) },
    { "in sentences: every switch", .no_screen = true, .args = LAB("infiniband-credits", "--plain"), .rows = 400,
      .steps = STEPS(SEE("every switch"), KEYS("every switch\n"), SEE("Of this card:"), SEE("Set by the scene:"), SEE("no effect now: flow_control is credits"), KEYS("q\n"), EXIT(0)) },
    { "in sentences: how true it is", .no_screen = true, .args = LAB("infiniband-credits", "--plain"), .rows = 400,
      .steps = STEPS(SEE("how true is it"), KEYS("how\n"), SEE("100 Gb/s, 20 m"), SEE("Not modelled:"), SEE("NCCL's default"), KEYS("q\n"), EXIT(0)) },
    { "in sentences: a preset by its number", .no_screen = true, .args = LAB("--plain"), .rows = 60,
      .steps = STEPS(SEE("1 InfiniBand credits, 2004"), SEE("Start from which?"), KEYS("1\n"), SEE("InfiniBand credits: 5 hosts"), SEE("start from another preset"), KEYS("start\n"), SEE("Start from which?"), KEYS("\nq\n"), EXIT(0)) },
};
/* clang-format on */

int main(void)
{
    return script_main("e2e/lab", cases, sizeof cases / sizeof cases[0]);
}
