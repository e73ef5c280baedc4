/*
 * One item being built, shared by the files that build items.
 *
 *     build_items.c   scenes, prose, switches, commands, plays; the cards they make up
 *     build_cards.c   the cards they make up, and what can be judged only of all of them
 *     build_ask.c     what asks: predictions, tasks, claims
 *     build_branch.c  cards that depend on answers
 */
#ifndef WEFT_LESSON_BUILD_ITEMS_H
#define WEFT_LESSON_BUILD_ITEMS_H

#include <stdbool.h>

#include <lua.h>

#include "lesson/data.h"

struct lesson_builder {
    lua_State *L;
    struct lesson *lesson;
    struct lesson_problems *problems;
    int index; /* of the object on the stack */
    struct lesson_item *item;
    int *func;
    const struct lesson_value *v; /* its fields, checked against the table */
    struct lesson_state *state;
};

/* What building items carries from one to the next. */
struct lesson_state {
    int scene;   /* in force; -1: it depends on the way that was taken */
    bool apart;  /* the next item stands behind a branch, or begins one of its ways */
    bool astray; /* it is not known: there is no scene of the name that was given */
    int depth;   /* branches around the present item */
};

/* Builds the items in the list at `index` of the stack, of the constructor `name` made in `line`. */
bool lesson_build_list(struct lesson *lesson, int index, const char *name, int line,
                       struct lesson_state *state, struct lesson_problems *problems);

/* One line of text, harmless; the caller frees. */
char *lesson_plain(const char *s);

/* Keeps a text with measured values as `*text`, of the item; notes what is wrong with them. */
bool lesson_set_prose(const struct lesson_builder *b, const struct lesson_value *v, char **text);

/* Keeps the function of a field as the item's own. */
void lesson_keep_function(const struct lesson_builder *b, enum lesson_field field);

/* The scene of that name; notes the nearest one if there is none. */
bool lesson_find_scene(const struct lesson_builder *b, const char *name, int *scene);

/* Once all items are there: groups them into cards, and says what comes behind each. */
bool lesson_build_cards(struct lesson *lesson, int line, struct lesson_problems *problems);

bool lesson_build_branch(const struct lesson_builder *b);
/* Once all items are known: the questions that branches are on, who can come where. */
bool lesson_check_branches(struct lesson *lesson, struct lesson_problems *problems);

bool lesson_build_predict(const struct lesson_builder *b);
bool lesson_build_recall(const struct lesson_builder *b);
bool lesson_build_fix(const struct lesson_builder *b);
/* The solutions, once the cards are known: each is within reach of the card's switches. */
bool lesson_check_fixes(const struct lesson *lesson, struct lesson_problems *problems);
bool lesson_build_claim(const struct lesson_builder *b);

#endif
