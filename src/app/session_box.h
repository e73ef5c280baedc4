/*
 * What lies over the picture of a session: help, contents, the answer to "why".
 */
#ifndef WEFT_APP_SESSION_BOX_H
#define WEFT_APP_SESSION_BOX_H

#include "app/session.h"

/* Why does what the cursor is on wait, or else the worst? Or this, in one of the runs. */
void session_box_why(struct session *session);
/* What it would say: for a screen where that has a place of its own. */
void session_box_reasons(const struct session *session, struct why_tree *out);
void session_box_why_of(struct session *session, const struct sim *sim, struct why_about about);
/* The cursor goes to what the marked cause is about. */
void session_why_go(struct session *session);
void session_box_whatif(struct session *session); /* the choices */
void session_box_plot(struct session *session);   /* what may be plotted */
void session_box_numbers(struct session *session);
/* The words that are listed. */
void session_box_terms(struct session *s);
/* What is in box_text, for the teacher. */
void session_box_notes(struct session *s);
void session_box_packet(struct session *session); /* session->inspect shows one */
void session_box_contents(struct session *session);
void session_box_command(struct session *session, enum command command);

/* A line of the list that is open is pointed at: it is chosen. True: it was already. */
bool session_box_pick(struct session *session, size_t line);

/* The faults that session->fault lists. */
void session_box_faults(struct session *session);

#endif
