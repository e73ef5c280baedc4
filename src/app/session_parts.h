/*
 * The inside of a session, shared by its files.
 *
 *     session.c           life, what the player needs, how time passes
 *     session_command.c   keys
 *     session_fabric.c    what changes the run
 *     session_box.c       help, contents, "why"
 *     session_text.c      the card's words
 */
#ifndef WEFT_APP_SESSION_PARTS_H
#define WEFT_APP_SESSION_PARTS_H

#include "app/session.h"

/* Another scene brings another run: everything that pointed into the old one is set up anew. */
void session_attach(struct session *session);

/* Asks the player what it needs and sets the picture up for that. */
void session_proceed(struct session *session);

/* The player has stepped onto a card. */
void session_enter_card(struct session *session);

/* Goes where `goes_to` says. May take a second. */
void session_arrive_at_card(struct session *session);

/* Lets the run move on to where it should be now. */
void session_advance(struct session *session);

/* The line about the victim or the cursor. */
void session_update_follow(struct session *session);

/* The packet under the cursor is destroyed; without a cursor, one is put on first. */
void session_do_drop(struct session *session);

/* Moves the card's switch with this digit to its next value. */
void session_do_switch(struct session *session, int digit);

#endif
