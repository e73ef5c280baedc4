/*
 * The inside of the lab, shared by its files.
 */
#ifndef WEFT_APP_LAB_PARTS_H
#define WEFT_APP_LAB_PARTS_H

#include "app/lab.h"

#define LAB_FIRST "ring" /* what one sees who names no preset */
#define LAB_YEAR  "2026" /* of what says nothing about it */

/* Whether a draft can be built; what it comes to is then in lab->counts. */
bool lab_count(struct lab *lab, struct lesson_draft *draft, struct err *err);

/* The draft as a lesson of one card. */
void lab_write_card(struct lesson_draft *draft, struct text *out);

#endif
