/* `weft export --to pcapng`: a run as a capture. */
#include "cli/export.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "export/capture.h"

enum { WORDS = 32 };

/* "card 7", where it begins. */
static void note_cards(const struct cli_cards *cards, char (*texts)[WORDS],
                       struct capture_note *notes)
{
    for (size_t i = 0; i < cards->count; i++) {
        (void)snprintf(texts[i], WORDS, "card %zu", cards->v[i].card + 1);
        notes[i] = (struct capture_note){ .at = cards->v[i].at, .text = texts[i] };
    }
}

static bool write(struct cli_export *job, const struct export_source *source,
                  const struct cli_cards *cards, struct err *err)
{
    const struct cli_options *o = job->options;
    struct capture_note *notes = mem_alloc(cards->count + 1, sizeof *notes);
    char(*texts)[WORDS] = mem_alloc(cards->count + 1, sizeof *texts);
    note_cards(cards, texts, notes);
    const struct capture_options options = { .snaplen = (uint32_t)o->snaplen,
                                             .places = o->at.item,
                                             .place_count = o->at.count,
                                             .notes = notes,
                                             .note_count = cards->count };
    const bool ok = export_capture_check(source, &options, err) && cli_export_begin(job, 0, err);
    if (ok) {
        export_capture(source, &options, job->sink);
    }
    free(texts);
    free(notes);
    return ok && run_journal_ok(source->run, err);
}

bool cli_export_pcapng(struct cli_export *job, struct err *err)
{
    struct cli_cards cards = { .v = NULL };
    struct export_source source;
    job->target->cards = &cards;
    bool ok = cli_export_source(job, &source, err);
    job->target->cards = NULL;
    if (ok) {
        ok = write(job, &source, &cards, err);
        run_destroy(source.run);
    }
    free(cards.v);
    return ok;
}
