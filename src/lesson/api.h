/*
 * The author's language as a table.
 *
 * One row per constructor, one row per field: name, type, unit, range, sentence. The table checks
 * what a lesson says, finds the nearest name for a mistyped one, and is the author's reference.
 *
 * A constructor (lua-scripts/weft.lua) only wraps what it was given:
 *     { weft = "say", file = "lessons/x.lua", line = 12, fields = { text = "..." } }
 * lesson_api_read() checks the fields against the table and hands them over as C values. It looks
 * at tables without their metatables, and only as deep as the table says.
 */
#ifndef WEFT_LESSON_API_H
#define WEFT_LESSON_API_H

#include <stdbool.h>
#include <stdint.h>

#include "lesson/problems.h"
#include "sim/command.h"
#include "sim/scenario.h"

typedef struct lua_State lua_State; /* who only reads the table sees no Lua */

/* How a constructor is called: with a table, with a text, with a text and a function, not at all
 * (the part of another one). */
enum lesson_form { LESSON_FORM_TABLE, LESSON_FORM_TEXT, LESSON_FORM_CLAIM, LESSON_FORM_PART };

/* clang-format off */
#define LESSON_KINDS(X) \
    X(LESSON,     "lesson",         TABLE, "a lesson: its head, its scenes and its items in order") \
    X(SCENARIO,   "scenario",       TABLE, "what a run starts from: a fabric, a workload, switches") \
    X(LEAF_SPINE, "leaf_spine",     TABLE, "a fabric: hosts under leaves, every leaf cabled to every spine") \
    X(FAT_TREE,   "fat_tree",       TABLE, "a fabric: a three-tier fat tree of equal switches, full bisection") \
    X(STAR,       "star",           TABLE, "a fabric: hosts round one switch") \
    X(RAIL,       "rail",           TABLE, "a fabric: rail-optimised, one switch for each GPU number of the boxes") \
    X(CIRCLE,     "ring",           TABLE, "a fabric: switches in a ring, each with its hosts") \
    X(PAIR,       "pair",           TABLE, "a fabric: two hosts and one cable") \
    X(BOX,        "box",            TABLE, "a box of GPUs joined by NVLink, PCIe or both: a fabric of its own, or the hosts of another") \
    X(FABRIC,     "fabric",         TABLE, "a fabric built freely: nodes, and the cables between them") \
    X(NODE,       "node",           TABLE, "a host or a switch of weft.fabric") \
    X(LINK,       "link",           TABLE, "a cable of weft.fabric") \
    X(TRAINING,   "training",       TABLE, "a workload: compute, exchange, barrier, again and again") \
    X(RING,       "ring_allreduce", TABLE, "a collective: everybody ends up with everybody's sum, passed round a ring") \
    X(COLLECTIVE, "collective",     TABLE, "any collective by its name") \
    X(FLOWS,      "flows",          TABLE, "a workload: messages from host to host") \
    X(INCAST,     "incast",         TABLE, "a workload: many hosts send to one, all at once") \
    X(PERMUTATION, "permutation",   TABLE, "a workload: every host sends to the one so many further on") \
    X(POISSON,    "poisson",        TABLE, "a workload: every host sends to random others, at random times") \
    X(REQUESTS,   "requests",       TABLE, "a workload: independent web requests, questions of clients to servers and their answers") \
    X(VALIDATION, "validation",     TABLE, "a row of the validation table") \
    X(CASE,       "case",           TABLE, "one set-up of a row: what runs, and what is measured") \
    X(MEASURE,    "measure",        TABLE, "one number of a case, and what it should be") \
    X(SCENE,      "scene",          TEXT,  "starts the run of a scene from 0") \
    X(SAY,        "say",            TEXT,  "prose of a card: Markdown, at most 45 words, {...} measures") \
    X(NOTE,       "note",           TEXT,  "a word to the teacher: shown with --notes only, never to a learner") \
    X(SET,        "set",            TABLE, "moves switches: knob = value") \
    X(SWITCH,     "switch",         TABLE, "offers a switch to the learner") \
    X(DROP,       "drop",           TABLE, "destroys a packet, or invites the learner to") \
    X(FAULT,      "fault",          TEXT,  "a fault, here and now: \"link leaf1:3 down\", \"burst 5 g1>g2\"") \
    X(COMPARE,    "compare",        TEXT,  "what if: this run beside the same one with one change from here on; it goes on as if nothing had been") \
    X(FOCUS,      "focus",          TABLE, "where to look from here on: which view, which node") \
    X(PLOT,       "plot",           TABLE, "what is plotted over time from here on, in the screen's lower left: weft.plot { \"held leaf1:1\", \"queue leaf1:3\" }") \
    X(PLAY,       "play",           TABLE, "runs on until something happens") \
    X(PREDICT,    "predict",        TABLE, "a question to answer before the run does") \
    X(RECALL,     "recall",         TABLE, "a question from an earlier lesson; no run is needed to judge it, and it may be skipped") \
    X(BRANCH,     "branch",         TABLE, "cards that depend on an answer; behind them all ways meet again") \
    X(FIX,        "fix",            TABLE, "a task: the learner brings the fabric to a goal with the switches of the card") \
    X(CLAIM,      "claim",          CLAIM, "a sentence that must be true, and the function that judges it") \
    X(FLOW,       "flow",           PART,  "one message of weft.flows") \
    X(CLASS,      "class",          PART,  "what ports do with one of the eight priorities") \
    X(ARBITRATION, "vl_arbitration", PART, "InfiniBand: which virtual lane a port serves next, by two tables") \
    X(ENTRY,      "vl_entry",   PART,  "an entry of these tables: a lane's turn") \
    X(ROUTE,      "route",          PART,  "a route that a scenario sets by hand") \
    X(PIN,        "pin",            PART,  "a flow that a scenario binds to a path") \
    X(FAULTS,     "faults",         PART,  "a command that comes with a scenario, and its time") \
    X(CHOICE,     "choice",         PART,  "one answer of weft.predict") \
    X(PEER,       "peer",           PART,  "what another simulator measured")

/* kind, name, type, flags, min, max (INT) or kinds (OBJECT, PART, entries of LIST and TABLE), words,
 * help */
#define LESSON_FIELDS(F) \
    F(LESSON,     api,         INT,    REQUIRED, 1, 1, NULL, "version of this language: 1") \
    F(LESSON,     id,          NAME,   REQUIRED, 0, 0, NULL, "the lesson's name on the command line; also its file's name") \
    F(LESSON,     title,       TEXT,   REQUIRED, 0, 0, NULL, "what the learner reads in the list") \
    F(LESSON,     year,        INT,    REQUIRED, 1950, 2100, NULL, "where it stands in the timeline") \
    F(LESSON,     minutes,     INT,    REQUIRED, 1, 60, NULL, "how long it takes") \
    F(LESSON,     level,       INT,    OPTIONAL, 1, 3, NULL, "1 first steps, 2 mechanisms, 3 research") \
    F(LESSON,     sources,     WORDS,  OPTIONAL, 0, 0, NULL, "keys of assets/bibliography or of the folder's index.lua that prose cites; Key = \"reference\" for one of its own") \
    F(LESSON,     terms,       WORDS,  OPTIONAL, 0, 0, NULL, "words that are new here, at most four: of assets/glossary.txt, of the folder's index.lua, or [\"word\"] = \"what it means\"") \
    F(LESSON,     builds_on,   LIST,   OPTIONAL, 0, 0, NULL, "ids of the lessons that come before this one") \
    F(LESSON,     scenes,      TABLE,  REQUIRED, 0, KIND_BIT(SCENARIO), NULL, "name = weft.scenario{...}") \
    F(SCENARIO,   fabric,      OBJECT, REQUIRED, 0, KIND_BIT(LEAF_SPINE) | KIND_BIT(FAT_TREE) | KIND_BIT(RAIL) | KIND_BIT(CIRCLE) | KIND_BIT(STAR) | KIND_BIT(PAIR) | KIND_BIT(BOX) | KIND_BIT(FABRIC), NULL, "weft.leaf_spine, weft.fat_tree, weft.rail, weft.ring, weft.star, weft.pair, weft.box or weft.fabric") \
    F(SCENARIO,   workload,    OBJECT, REQUIRED, 0, KIND_BIT(TRAINING) | KIND_BIT(FLOWS) | KIND_BIT(INCAST) | KIND_BIT(PERMUTATION) | KIND_BIT(POISSON) | KIND_BIT(REQUESTS), NULL, "weft.training, weft.flows, weft.incast, weft.permutation, weft.poisson or weft.requests") \
    F(SCENARIO,   set,         KNOBS,  OPTIONAL, 0, 0, NULL, "starting values of switches: knob = value") \
    F(SCENARIO,   classes,     TABLE,  OPTIONAL, 0, KIND_BIT(CLASS), NULL, "what ports do with priorities: [3] = { weight = 50, lossless = true }") \
    F(SCENARIO,   vl_arbitration, PART, OPTIONAL, 0, KIND_BIT(ARBITRATION), NULL, "InfiniBand, instead of classes: { high = { { vl = 3, weight = 64 } }, low = { ... }, limit = 4 }") \
    F(SCENARIO,   routes,      LIST,   OPTIONAL, 0, KIND_BIT(ROUTE), NULL, "routes by hand: { at = \"leaf1\", to = \"g7\", via = \"spine1\" }") \
    F(SCENARIO,   pins,        LIST,   OPTIONAL, 0, KIND_BIT(PIN), NULL, "flows with a path of their own: { flow = \"g1>g5\", via = \"spine2\" }") \
    F(SCENARIO,   faults,      LIST,   OPTIONAL, 0, KIND_BIT(FAULTS), NULL, "commands with their times: { at = \"1ms\", \"slow g2 50%\" }") \
    F(SCENARIO,   name,        TEXT,   OPTIONAL, 0, 0, NULL, "shown in reports; else the scene's name") \
    F(SCENARIO,   year,        INT,    OPTIONAL, 1950, 2100, NULL, "when networks were like this, for the list of the lab") \
    F(SCENARIO,   about,       PROSE,  OPTIONAL, 0, 0, NULL, "what there is to see and to try, for the lab; {...} is measured") \
    F(SCENARIO,   offers,      LIST,   OPTIONAL, 0, KIND_BIT(SWITCH), NULL, "switches that the lab puts on the digits: weft.switch{...}") \
    F(SCENARIO,   true_size,   TEXT,   OPTIONAL, 0, 0, NULL, "what is as large as in reality, for the scale line") \
    F(SCENARIO,   shrunk,      TEXT,   OPTIONAL, 0, 0, NULL, "what is smaller than in reality, for the scale line") \
    F(LEAF_SPINE, leaves,      INT,    REQUIRED, 1, 1024, NULL, "switches with hosts") \
    F(LEAF_SPINE, spines,      INT,    REQUIRED, 1, 1024, NULL, "switches between the leaves") \
    F(LEAF_SPINE, hosts,       INT,    REQUIRED, 1, 1024, NULL, "hosts under each leaf") \
    F(LEAF_SPINE, rate,        RATE,   REQUIRED, 0, 0, NULL, "of the hosts' cables") \
    F(LEAF_SPINE, uplink_rate, RATE,   OPTIONAL, 0, 0, NULL, "of the cables between leaf and spine; else the same") \
    F(LEAF_SPINE, delay,       TIME,   REQUIRED, 0, 0, NULL, "light through one cable: 5 ns a metre") \
    F(FAT_TREE,   ports,       INT,    REQUIRED, 2, 24, NULL, "of each switch, an even number k: k pods of k/2 edge and k/2 aggregation switches, k^3/4 hosts") \
    F(FAT_TREE,   rate,        RATE,   REQUIRED, 0, 0, NULL, "of every cable") \
    F(FAT_TREE,   delay,       TIME,   REQUIRED, 0, 0, NULL, "light through one cable: 5 ns a metre") \
    F(LEAF_SPINE, box,         OBJECT, OPTIONAL, 0, KIND_BIT(BOX), NULL, "weft.box: each host is such a box, its NICs cabled to the leaf") \
    F(STAR,       hosts,       INT,    REQUIRED, 2, 1024, NULL, "hosts round the switch") \
    F(STAR,       rate,        RATE,   REQUIRED, 0, 0, NULL, "of every cable") \
    F(STAR,       delay,       TIME,   REQUIRED, 0, 0, NULL, "light through one cable: 5 ns a metre") \
    F(FAT_TREE,   box,         OBJECT, OPTIONAL, 0, KIND_BIT(BOX), NULL, "weft.box: each host is such a box, its NICs cabled to the edge switch") \
    F(STAR,       box,         OBJECT, OPTIONAL, 0, KIND_BIT(BOX), NULL, "weft.box: each host is such a box, its NICs cabled to the switch") \
    F(RAIL,       boxes,       INT,    REQUIRED, 1, 512, NULL, "servers") \
    F(RAIL,       box,         OBJECT, REQUIRED, 0, KIND_BIT(BOX), NULL, "weft.box: what each server is; nics is its number of GPUs, and else that; switches else, too, so that each GPU has its NIC beside it") \
    F(RAIL,       spines,      INT,    OPTIONAL, 0, 64, NULL, "switches that join the rails; else none. What changes the rail crosses a spine, or PCIe in the box it goes to") \
    F(RAIL,       rate,        RATE,   REQUIRED, 0, 0, NULL, "of the cables from NIC to rail") \
    F(RAIL,       uplink_rate, RATE,   OPTIONAL, 0, 0, NULL, "of the cables between rail and spine; else the same") \
    F(RAIL,       delay,       TIME,   REQUIRED, 0, 0, NULL, "light through one cable: 5 ns a metre") \
    F(CIRCLE,     switches,    INT,    REQUIRED, 2, 256, NULL, "sw1, sw2, ... each cabled to the next, the last to the first: 3 or more; open: 2") \
    F(CIRCLE,     hosts,       INT,    REQUIRED, 1, 64, NULL, "hosts at each switch") \
    F(CIRCLE,     open,        BOOL,   OPTIONAL, 0, 0, NULL, "true: a row, without the cable from the last to the first") \
    F(CIRCLE,     clockwise,   BOOL,   OPTIONAL, 0, 0, NULL, "true: all packets go round the same way, from sw1 to sw2; else the shorter one") \
    F(CIRCLE,     rate,        RATE,   REQUIRED, 0, 0, NULL, "of the hosts' cables") \
    F(CIRCLE,     trunk_rate,  RATE,   OPTIONAL, 0, 0, NULL, "of the cables between switches; else the same") \
    F(CIRCLE,     delay,       TIME,   REQUIRED, 0, 0, NULL, "light through one cable: 5 ns a metre") \
    F(CIRCLE,     box,         OBJECT, OPTIONAL, 0, KIND_BIT(BOX), NULL, "weft.box: each host is such a box, its NICs cabled to the switch") \
    F(PAIR,       rate,        RATE,   REQUIRED, 0, 0, NULL, "of the cable") \
    F(PAIR,       delay,       TIME,   REQUIRED, 0, 0, NULL, "light through the cable: 5 ns a metre") \
    F(PAIR,       box,         OBJECT, OPTIONAL, 0, KIND_BIT(BOX), NULL, "weft.box: both hosts are such boxes, joined NIC to NIC") \
    F(BOX,        gpus,        INT,    REQUIRED, 1, 64, NULL, "g1, g2, ... numbered through all boxes") \
    F(BOX,        nvlink,      ANY,    OPTIONAL, 0, 0, NULL, "of each GPU, to an NVSwitch nvs1: a generation from 1 to 5, or a rate one way (\"450GB/s\")") \
    F(BOX,        pcie,        ANY,    OPTIONAL, 0, 0, NULL, "every PCIe cable, under a root root1: a generation from 1 to 6, or a rate one way (\"8GB/s\")") \
    F(BOX,        lanes,       INT,    OPTIONAL, 1, 16, NULL, "of every PCIe cable: 1, 2, 4, 8 or 16; else 16") \
    F(BOX,        switches,    INT,    OPTIONAL, 0, 64, NULL, "PCIe switches pcie1, ... that share out GPUs and NICs; else all are plugged into the root") \
    F(BOX,        nics,        INT,    OPTIONAL, 0, 64, NULL, "NICs nic1, ... on PCIe; else none") \
    F(BOX,        memory,      RATE,   OPTIONAL, 0, 0, NULL, "rate of the bus of its memory h1, for staging; else the model has no memory") \
    F(BOX,        delay,       TIME,   OPTIONAL, 0, 0, NULL, "light through every cable of the box; else 1 ns, 20 cm") \
    F(FABRIC,     nodes,       LIST,   REQUIRED, 0, KIND_BIT(NODE), NULL, "weft.node{...}, in the order of the ranks") \
    F(FABRIC,     links,       LIST,   REQUIRED, 0, KIND_BIT(LINK), NULL, "weft.link{...}; a host needs one, and may have more") \
    F(NODE,       name,        TEXT,   REQUIRED, 0, 0, NULL, "letters, digits, - _ . beginning with a letter") \
    F(NODE,       kind,        WORD,   REQUIRED, 0, 0, lesson_node_words, "\"host\" (a GPU or a server), \"switch\" (also an NVSwitch, a PCIe root, a NIC) or \"memory\"") \
    F(NODE,       row,         INT,    OPTIONAL, 1, SIM_ROWS_MAX, NULL, "where it stands in the picture, from the top; all nodes have a place or none") \
    F(NODE,       column,      INT,    OPTIONAL, 1, SIM_COLUMNS_MAX, NULL, "the same from the left; no two nodes stand at the same place") \
    F(LINK,       a,           TEXT,   REQUIRED, 0, 0, NULL, "node at one end") \
    F(LINK,       b,           TEXT,   REQUIRED, 0, 0, NULL, "node at the other end") \
    F(LINK,       kind,        WORD,   OPTIONAL, 0, 0, lesson_link_words, "what it is: \"fabric\", or inside a box \"pcie\", \"nvlink\" or \"memory\"; else fabric") \
    F(LINK,       rate,        RATE,   OPTIONAL, 0, 0, NULL, "of the cable, one way; or gen") \
    F(LINK,       gen,         INT,    OPTIONAL, 1, 6, NULL, "instead of a rate: the generation of PCIe or NVLink") \
    F(LINK,       lanes,       INT,    OPTIONAL, 1, 18, NULL, "with gen: lanes of PCIe, else 16; links of NVLink, else all of one GPU") \
    F(LINK,       delay,       TIME,   OPTIONAL, 0, 0, NULL, "light through the cable: 5 ns a metre; inside a box else 1 ns") \
    F(TRAINING,   collective,  OBJECT, REQUIRED, 0, KIND_BIT(RING) | KIND_BIT(COLLECTIVE), NULL, "how the gradients are summed: weft.ring_allreduce or weft.collective") \
    F(TRAINING,   compute,     TIME,   REQUIRED, 0, 0, NULL, "time a GPU computes in each step before it exchanges") \
    F(TRAINING,   steps,       INT,    REQUIRED, 1, 100000, NULL, "training steps until the run is done") \
    F(RING,       bytes,       BYTES,  REQUIRED, 0, 0, NULL, "gradient of each GPU and step") \
    F(RING,       bucket,      BYTES,  OPTIONAL, 0, 0, NULL, "size of one all-reduce; else all in one") \
    F(FLOWS,      blocks,      INT,    OPTIONAL, 1, 1000000, NULL, "how often all of it is sent; the next time begins when all have arrived") \
    F(COLLECTIVE, kind,        TEXT,   REQUIRED, 0, 0, NULL, "a word of the switch `collective`: \"tree\", \"all_to_all\" ...") \
    F(COLLECTIVE, bytes,       BYTES,  REQUIRED, 0, 0, NULL, "what each GPU brings to it in a step") \
    F(COLLECTIVE, bucket,      BYTES,  OPTIONAL, 0, 0, NULL, "size of one; else all in one") \
    F(FLOW,       src,         TEXT,   REQUIRED, 0, 0, NULL, "host that sends; a memory may, too") \
    F(FLOW,       dst,         TEXT,   REQUIRED, 0, 0, NULL, "host that receives; a memory may, too") \
    F(FLOW,       bytes,       BYTES,  REQUIRED, 0, 0, NULL, "size of the message") \
    F(FLOW,       start,       TIME,   OPTIONAL, 0, 0, NULL, "when it is posted; else at 0") \
    F(FLOW,       prio,        INT,    OPTIONAL, 0, 7, NULL, "its traffic class or service level; else 3") \
    F(FLOW,       gap,         TIME,   OPTIONAL, 0, 0, NULL, "one message after another, so far apart, for ever") \
    F(FLOW,       load,        SHARE,  OPTIONAL, 0, 0, NULL, "the same as a share of the source's line (of its NIC, for what leaves a box): \"45%\"") \
    F(FLOW,       messages,    INT,    OPTIONAL, 1, 1000000000, NULL, "how many; else one, or with a gap for ever") \
    F(FLOW,       poisson,     BOOL,   OPTIONAL, 0, 0, NULL, "true: at random times with that mean") \
    F(FLOW,       answer,      BYTES,  OPTIONAL, 0, 0, NULL, "for each message that arrives its receiver sends one of this size back: the next flow") \
    F(INCAST,     to,          TEXT,   REQUIRED, 0, 0, NULL, "host that receives") \
    F(INCAST,     from,        ANY,    REQUIRED, 0, 0, NULL, "how many hosts send, or a list of their names") \
    F(INCAST,     bytes,       BYTES,  REQUIRED, 0, 0, NULL, "size of each message") \
    F(INCAST,     start,       TIME,   OPTIONAL, 0, 0, NULL, "when all are posted; else at 0") \
    F(INCAST,     blocks,      INT,    OPTIONAL, 1, 1000000, NULL, "so many messages each: all begin the next when the last of all has arrived; else 1") \
    F(PERMUTATION, shift,      INT,    REQUIRED, 1, 8191, NULL, "how many hosts further on the receiver is, round the end") \
    F(PERMUTATION, bytes,      BYTES,  REQUIRED, 0, 0, NULL, "size of each message") \
    F(PERMUTATION, start,      TIME,   OPTIONAL, 0, 0, NULL, "when all are posted; else at 0") \
    F(POISSON,    load,        SHARE,  REQUIRED, 0, 0, NULL, "payload of each host, as a share of its line") \
    F(POISSON,    bytes,       BYTES,  REQUIRED, 0, 0, NULL, "size of a message") \
    F(POISSON,    pairs,       INT,    OPTIONAL, 1, 1024, NULL, "how many others a host sends to; else one") \
    F(POISSON,    seed,        INT,    OPTIONAL, 1, 1000000000, NULL, "which others these are; else 1") \
    F(REQUESTS,   count,       INT,    REQUIRED, 1, 32768, NULL, "how many") \
    F(REQUESTS,   clients,     INT,    REQUIRED, 1, 8191, NULL, "how many of the hosts ask, the first ones; the others answer") \
    F(REQUESTS,   ask,         BYTES,  REQUIRED, 0, 0, NULL, "size of a question") \
    F(REQUESTS,   answer,      BYTES,  REQUIRED, 0, 0, NULL, "size of an answer") \
    F(REQUESTS,   gap,         TIME,   REQUIRED, 0, 0, NULL, "mean time from one to the next, over all clients") \
    F(REQUESTS,   seed,        INT,    OPTIONAL, 1, 1000000000, NULL, "who asks whom, and when; else 1") \
    F(CLASS,      weight,      INT,    OPTIONAL, 0, SIM_WEIGHT_MAX, NULL, "share of what strict classes leave; 0: strict") \
    F(CLASS,      vl,          INT,    OPTIONAL, 0, 7, NULL, "InfiniBand: the virtual lane that this service level travels on; else the one of its number. ACKs: 6") \
    F(CLASS,      lossless,    BOOL,   OPTIONAL, 0, 0, NULL, "whether PFC applies to it") \
    F(ARBITRATION, high,       LIST,   OPTIONAL, 0, KIND_BIT(ENTRY), NULL, "entries served first, in turns; at most 64") \
    F(ARBITRATION, low,        LIST,   OPTIONAL, 0, KIND_BIT(ENTRY), NULL, "entries served when those have nothing, or have reached the limit; at most 64") \
    F(ARBITRATION, limit,      INT,    OPTIONAL, 0, 255, NULL, "bytes, in 4096, that high entries may send before low ones have a chance; 0: one packet, 255: no limit; else 0") \
    F(ENTRY,      vl,          INT,    REQUIRED, 0, 7, NULL, "the lane") \
    F(ENTRY,      weight,      INT,    REQUIRED, 0, 255, NULL, "bytes, in 64, that it may send in its turn; the last packet is sent whole") \
    F(ROUTE,      at,          TEXT,   REQUIRED, 0, 0, NULL, "the switch") \
    F(ROUTE,      to,          TEXT,   REQUIRED, 0, 0, NULL, "the host that packets are for") \
    F(ROUTE,      via,         TEXT,   REQUIRED, 0, 0, NULL, "the neighbour they are sent to") \
    F(PIN,        flow,        TEXT,   REQUIRED, 0, 0, NULL, "whose packets: \"g1>g5\", \"g1>g5/2\" the second queue pair") \
    F(PIN,        via,         TEXT,   REQUIRED, 0, 0, NULL, "the switch they take, where there is a choice") \
    F(FAULTS,     at,          TIME,   OPTIONAL, 0, 0, NULL, "when; else at 0") \
    F(VALIDATION, id,          TEXT,   REQUIRED, 0, 0, NULL, "the row's name; also its file's name") \
    F(VALIDATION, setup,       TEXT,   REQUIRED, 0, 0, NULL, "what is built and run") \
    F(VALIDATION, source,      TEXT,   REQUIRED, 0, 0, NULL, "where the expected values come from") \
    F(VALIDATION, full,        BOOL,   OPTIONAL, 0, 0, NULL, "true: takes long, runs with --full only") \
    F(VALIDATION, pending,     TEXT,   OPTIONAL, 0, 0, NULL, "why it cannot be run yet") \
    F(VALIDATION, cases,       LIST,   OPTIONAL, 0, KIND_BIT(CASE), NULL, "weft.case{...}") \
    F(CASE,       name,        TEXT,   OPTIONAL, 0, 0, NULL, "what tells it from the other cases") \
    F(CASE,       scenario,    OBJECT, OPTIONAL, 0, KIND_BIT(SCENARIO), NULL, "what runs") \
    F(CASE,       scenarios,   LIST,   OPTIONAL, 0, KIND_BIT(SCENARIO), NULL, "or: several, to be compared") \
    F(CASE,       probe,       TEXT,   OPTIONAL, 0, 0, NULL, "or: a mechanism alone") \
    F(CASE,       at,          LIST,   OPTIONAL, 0, 0, NULL, "when to look: times (\"5ms\") or events (\"xoff\", \"resumed sw:2\"); else at the end") \
    F(CASE,       limit,       TIME,   OPTIONAL, 0, 0, NULL, "where a run ends that goes on; else at 60 s") \
    F(CASE,       seeds,       INT,    OPTIONAL, 1, 100000, NULL, "runs with seeds 1 to this; else with 1 alone") \
    F(CASE,       over,        WORD,   OPTIONAL, 0, 0, lesson_over_words, "what is taken over the seeds; else the mean") \
    F(CASE,       measures,    LIST,   REQUIRED, 0, KIND_BIT(MEASURE), NULL, "weft.measure{...}") \
    F(MEASURE,    name,        TEXT,   REQUIRED, 0, 0, NULL, "what is measured") \
    F(MEASURE,    of,          FUNC,   REQUIRED, 0, 0, NULL, "function(m): the number, from the moments of the run") \
    F(MEASURE,    unit,        WORD,   REQUIRED, 0, 0, lesson_validation_units, "of all its numbers") \
    F(MEASURE,    expected,    NUMBER, OPTIONAL, 0, 0, NULL, "what it should be") \
    F(MEASURE,    tolerance,   ANY,    OPTIONAL, 0, 0, NULL, "how far off it may be: a number, or \"2%\"; else not at all") \
    F(MEASURE,    least,       NUMBER, OPTIONAL, 0, 0, NULL, "or: it must not be below this") \
    F(MEASURE,    most,        NUMBER, OPTIONAL, 0, 0, NULL, "or: it must not be above this") \
    F(MEASURE,    peers,       LIST,   OPTIONAL, 0, KIND_BIT(PEER), NULL, "what other simulators measured: { name = \"csg\", figure = 856.3, within = \"0.01%\" }") \
    F(PEER,       name,        TEXT,   REQUIRED, 0, 0, NULL, "which one") \
    F(PEER,       figure,      NUMBER, OPTIONAL, 0, 0, NULL, "its figure") \
    F(PEER,       least,       NUMBER, OPTIONAL, 0, 0, NULL, "or: its figures of several runs, from this") \
    F(PEER,       most,        NUMBER, OPTIONAL, 0, 0, NULL, "to this") \
    F(PEER,       within,      ANY,    OPTIONAL, 0, 0, NULL, "how far off ours may be without a reason: a number, or \"2%\"; else only the direction counts") \
    F(PEER,       why,         TEXT,   OPTIONAL, 0, 0, NULL, "the reason why ours differs, for who knows neither well") \
    F(MEASURE,    disputed,    TEXT,   OPTIONAL, 0, 0, NULL, "why the expected value is believed to be wrong") \
    F(SCENE,      text,        TEXT,   REQUIRED, 0, 0, NULL, "name of a scene") \
    F(SAY,        text,        PROSE,  REQUIRED, 0, 0, NULL, "Markdown; {...} is measured") \
    F(NOTE,       text,        PROSE,  REQUIRED, 0, 0, NULL, "Markdown; {...} is measured") \
    F(SWITCH,     knob,        TEXT,   REQUIRED, 0, 0, NULL, "which switch: see `weft knobs`") \
    F(SWITCH,     values,      LIST,   REQUIRED, 0, 0, NULL, "what its digit goes through, two at least") \
    F(SWITCH,     label,       TEXT,   OPTIONAL, 0, 0, NULL, "words for the panel; else the knob's") \
    F(SWITCH,     no_effect,   TEXT,   OPTIONAL, 0, 0, NULL, "why nothing will change, if so") \
    F(DROP,       flow,        TEXT,   REQUIRED, 0, 0, NULL, "whose packet: \"g3>g4\"") \
    F(DROP,       which,       ANY,    REQUIRED, 0, 0, NULL, "\"first\", \"middle\", \"last\" of the step, the number of a packet in it, or \"resend\": the next one sent again") \
    F(DROP,       attempts,    INT,    OPTIONAL, 1, 100, NULL, "how often in a row the packet is destroyed; else once") \
    F(DROP,       step,        INT,    OPTIONAL, 1, 100000, NULL, "training step; else this one") \
    F(DROP,       ask,         BOOL,   OPTIONAL, 0, 0, NULL, "true: the learner may destroy any packet, this is the fallback") \
    F(FAULT,      text,        TEXT,   REQUIRED, 0, 0, NULL, "the command, as --do takes it; not `set`") \
    F(COMPARE,    text,        TEXT,   REQUIRED, 0, 0, NULL, "the change, as --do takes it: \"set flow_control none\", \"slow g2 50%\"") \
    F(FOCUS,      view,        WORD,   OPTIONAL, 0, 0, lesson_view_words, "what fills the screen's lower left, until Tab chooses another") \
    F(FOCUS,      node,        TEXT,   OPTIONAL, 0, 0, NULL, "the cursor is put on the lane of this node's first cable") \
    F(PLAY,       to,          WORD,   OPTIONAL, 0, 0, lesson_until_words, "what ends it") \
    F(PLAY,       time,        TIME,   OPTIONAL, 0, 0, NULL, "or: how long to run on, in simulated time") \
    F(PLAY,       gear,        WORD,   OPTIONAL, 0, 0, lesson_gear_words, "how fast to watch; else as it was") \
    F(PLAY,       rate,        TIME,   OPTIONAL, UNIT_NS, UNIT_S, NULL, "simulated time that passes in a second of watching; else what the gear has") \
    F(PREDICT,    name,        NAME,   OPTIONAL, 0, 0, NULL, "what weft.branch calls this question") \
    F(PREDICT,    ask,         TEXT,   REQUIRED, 0, 0, NULL, "the question") \
    F(PREDICT,    choices,     LIST,   OPTIONAL, 0, KIND_BIT(CHOICE), NULL, "two to four answers") \
    F(PREDICT,    answer,      WORD,   OPTIONAL, 0, 0, lesson_answer_words, "\"number\": instead of choices, the learner types one") \
    F(PREDICT,    unit,        WORD,   OPTIONAL, 0, 0, lesson_unit_words, "of that number: \"time\", \"rate\", \"bytes\", \"share\" (a ratio) or \"count\"") \
    F(PREDICT,    tolerance,   SHARE,  OPTIONAL, 0, 0, NULL, "how far from the truth it may be, as a share of that; else 10%") \
    F(PREDICT,    low,         PROSE,  OPTIONAL, 0, 0, NULL, "reply to a number that is too small; {...} is measured") \
    F(PREDICT,    high,        PROSE,  OPTIONAL, 0, 0, NULL, "reply to a number that is too large; {...} is measured") \
    F(PREDICT,    because,     PROSE,  REQUIRED, 0, 0, NULL, "said when the truth is known; {...} is measured") \
    F(PREDICT,    truth,       FUNC,   REQUIRED, 0, 0, NULL, "function(r): number of the right choice; or the number that is asked for, a quantity of its unit") \
    F(PREDICT,    sure,        BOOL,   OPTIONAL, 0, 0, NULL, "whether to ask how sure one is; else true") \
    F(RECALL,     name,        NAME,   OPTIONAL, 0, 0, NULL, "what weft.branch calls this question") \
    F(RECALL,     from,        NAME,   REQUIRED, 0, 0, NULL, "id of the lesson that it comes from") \
    F(RECALL,     ask,         TEXT,   REQUIRED, 0, 0, NULL, "the question") \
    F(RECALL,     choices,     LIST,   REQUIRED, 0, KIND_BIT(CHOICE), NULL, "two to four answers") \
    F(RECALL,     right,       INT,    REQUIRED, 1, 4, NULL, "number of the right one") \
    F(RECALL,     because,     PROSE,  REQUIRED, 0, 0, NULL, "said to every answer") \
    F(RECALL,     sure,        BOOL,   OPTIONAL, 0, 0, NULL, "whether to ask how sure one is; else false") \
    F(BRANCH,     on,          NAME,   REQUIRED, 0, 0, NULL, "name of a question that everybody was asked before") \
    F(BRANCH,     right,       ITEMS,  OPTIONAL, 0, 0, NULL, "for who was right") \
    F(BRANCH,     wrong,       ITEMS,  OPTIONAL, 0, 0, NULL, "for who was not, or whose answer could not be checked") \
    F(BRANCH,     low,         ITEMS,  OPTIONAL, 0, 0, NULL, "for a number that was too small") \
    F(BRANCH,     high,        ITEMS,  OPTIONAL, 0, 0, NULL, "for a number that was too large") \
    F(BRANCH,     otherwise,   ITEMS,  OPTIONAL, 0, 0, NULL, "for every other answer; without it they go straight on") \
    F(CHOICE,     belief,      TEXT,   OPTIONAL, 0, 0, NULL, "what one thinks who says this") \
    F(CHOICE,     reply,       PROSE,  OPTIONAL, 0, 0, NULL, "own answer to this choice") \
    F(FIX,        goal,        TEXT,   REQUIRED, 0, 0, NULL, "what is to be reached, a sentence") \
    F(FIX,        check,       FUNC,   REQUIRED, 0, 0, NULL, "function(r): whether a run with the learner's switches, from 0 to its end, reaches it, and values to show when it does not") \
    F(FIX,        solution,    KNOBS,  REQUIRED, 0, 0, NULL, "values of this card's switches that reach it: knob = value; `weft check` tries them") \
    F(FIX,        hints,       LIST,   OPTIONAL, 0, 0, NULL, "texts, shown one after the other to who asks for them") \
    F(FIX,        because,     PROSE,  OPTIONAL, 0, 0, NULL, "said when it is reached; {...} is measured in the run that reached it") \
    F(FIX,        reply,       PROSE,  OPTIONAL, 0, 0, NULL, "said when it is not; {...} is measured in the run that did not") \
    F(FIX,        time,        TIME,   OPTIONAL, 0, 0, NULL, "how long a try runs, in simulated time; else until the workload is done") \
    F(CLAIM,      text,        TEXT,   REQUIRED, 0, 0, NULL, "the sentence") \
    F(CLAIM,      check,       FUNC,   REQUIRED, 0, 0, NULL, "function(r): whether it is true, and values to show when it is not; with scenes: function(a, b, ...)") \
    F(CLAIM,      scenes,      LIST,   OPTIONAL, 0, 0, NULL, "names of scenes that were played before: weft.claim { text = \"...\", scenes = { \"a\", \"b\" }, check = function(a, b) ... end }")
/* clang-format on */

enum lesson_kind {
#define X(id, name, form, help) LESSON_KIND_##id,
    LESSON_KINDS(X)
#undef X
        LESSON_KIND_COUNT
};

enum lesson_field {
#define F(kind, name, type, flags, min, max, words, help) LESSON_##kind##_##name,
    LESSON_FIELDS(F)
#undef F
        LESSON_FIELD_COUNT
};

/* What a field holds. */
enum lesson_type {
    LESSON_TYPE_TEXT,
    LESSON_TYPE_PROSE, /* text with {...}: looked at by prose.c */
    LESSON_TYPE_NAME,  /* small letters, digits, - */
    LESSON_TYPE_INT,
    LESSON_TYPE_NUMBER,
    LESSON_TYPE_BOOL,
    LESSON_TYPE_TIME,
    LESSON_TYPE_RATE,
    LESSON_TYPE_BYTES,
    LESSON_TYPE_SHARE,
    LESSON_TYPE_WORD,
    LESSON_TYPE_FUNC,
    LESSON_TYPE_OBJECT,
    LESSON_TYPE_LIST,
    LESSON_TYPE_ITEMS, /* a list of items, as a lesson has them */
    LESSON_TYPE_WORDS, /* a list of words, and words that it explains: see words.h */
    LESSON_TYPE_TABLE,
    LESSON_TYPE_PART, /* a plain table with the fields of a kind of form PART */
    LESSON_TYPE_KNOBS,
    LESSON_TYPE_ANY,
};

struct lesson_field_info {
    enum lesson_kind kind;
    const char *name;
    enum lesson_type type;
    bool required;
    int64_t min, max; /* INT: the range. OBJECT, PART, LIST, TABLE: `max` has bit k set when it, or
                         its entries, may be of kind k; 0: entries are of no kind */
    const char *const *words; /* WORD: all of them, up to NULL */
    const char *help;
};
const struct lesson_field_info *lesson_field_info(enum lesson_field field);

/* What stands in a kind's table without a name. */
enum lesson_parts {
    LESSON_PARTS_NONE,
    LESSON_PARTS_ITEMS, /* the lesson's items, in order */
    LESSON_PARTS_FLOWS, /* the flows */
    LESSON_PARTS_TEXT,  /* one text: the answer, the command */
    LESSON_PARTS_WAYS,  /* lists of items by the number of an answer; not each number needs one */
    LESSON_PARTS_NAMES, /* texts, in order */
};
enum lesson_parts lesson_kind_parts(enum lesson_kind kind);

struct lesson_kind_info {
    const char *name;
    enum lesson_form form;
    const char *help;
};
const struct lesson_kind_info *lesson_kind_info(enum lesson_kind kind);

/* A field as it was read. */
struct lesson_value {
    bool given;
    bool refused;  /* it was there, and no good: that has been said */
    int line;      /* where it stands */
    int64_t num;   /* INT, BOOL, quantities, WORD (index) */
    double real;   /* NUMBER */
    const char *s; /* texts: valid while the Lua value lives */
};

struct lesson_values {
    struct lesson_value v[LESSON_FIELD_COUNT];
};

/* What the object at `index` is: a constructor's result, or LESSON_KIND_COUNT. `*line` (may be
 * NULL) is where it was made. */
enum lesson_kind lesson_api_kind(lua_State *L, int index, int *line);

/*
 * Reads the object at `index` (of `kind`, made in `line`) field by field. Every problem is noted;
 * what could not be read stays `given == false`. False when there was a problem.
 */
bool lesson_api_read(lua_State *L, int index, enum lesson_kind kind, int line,
                     struct lesson_problems *problems, struct lesson_values *values);

/* The same for a plain table that is a part (FLOW, CHOICE) of another. */
bool lesson_api_read_part(lua_State *L, int index, enum lesson_kind kind, int line,
                          struct lesson_problems *problems, struct lesson_values *values);

/* lesson_problems_enter() for the file in which the object at `index` was made. */
struct lesson_place lesson_api_enter(lua_State *L, int index, struct lesson_problems *problems);

/* Pushes a field's raw value / the table of an object's fields. */
void lesson_api_push(lua_State *L, int index, enum lesson_field field);
void lesson_api_push_fields(lua_State *L, int index);

/* Length of the list part of the object or table of fields at `index`. */
int lesson_api_length(lua_State *L, int index);

/* A table "knob = value" on top of the stack as commands, in the order of their names; the caller
 * frees. NULL and a note when there is a problem. */
struct sim_cmd *lesson_api_read_knobs(lua_State *L, const char *what, int line,
                                      struct lesson_problems *problems, size_t *count);

/* The knob value on top of the stack as sim_knob_parse reads it. */
bool lesson_api_knob_value(lua_State *L, const char *knob, enum sim_knob *id, int64_t *value,
                           struct err *err);

/* Adds the names of the constructors, and who finds the nearest, to the helper table on top of the
 * stack. */
void lesson_api_add_kinds(lua_State *L);

extern const char *const lesson_node_words[]; /* in the order of enum sim_node_kind */
extern const char *const lesson_link_words[]; /* in the order of enum sim_link_kind */
extern const char *const lesson_over_words[]; /* in the order of enum validation_over */
extern const char *const lesson_validation_units[];
extern const char *const lesson_until_words[];  /* in the order of enum lesson_until */
extern const char *const lesson_answer_words[]; /* "choice", "number" */
extern const char *const lesson_unit_words[];   /* in the order of enum unit_kind */
extern const char *const lesson_view_words[];   /* in the order of enum scene_view */
extern const char *const lesson_gear_words[];   /* in the order of enum lesson_gear */

#endif
