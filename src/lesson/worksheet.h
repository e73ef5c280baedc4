/*
 * A lesson on paper: Markdown in which what is measured and what is answered are left empty.
 *
 * Each card is a section: its prose, its questions with their choices to tick, its tasks with room for what
 * was tried. What the lesson says when an answer is judged, and what it does behind a question, is left out.
 * Values that are known beforehand ({set....}, {work....}) are filled in, for the lesson's own settings; of
 * those that are measured only room to write is left. With `notes` it has what is for the teacher, too:
 * notes, hints, the belief behind each choice, the claims that the lesson proves. {key:...} is left to who knows keys.
 */
#ifndef WEFT_LESSON_WORKSHEET_H
#define WEFT_LESSON_WORKSHEET_H

#include "lesson/lesson.h"

/* Appends to `out`. Nothing is simulated beyond the beginning of each scene. False: a scene cannot start. */
bool lesson_worksheet(struct lesson *lesson, bool notes, struct text *out, struct err *err);

#endif
