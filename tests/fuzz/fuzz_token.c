/*
 * Tokens. A checksum keeps nearly all damaged ones out of what lies behind it, so the input gets the
 * right one: what may come is a token that somebody made up.
 */
#include "fuzz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text word = { 0 };
    struct token token;
    struct err err = { 0 };
    struct sim_scenario scene;
    struct replay replay;
    char *text = mem_strndup((const char *)data, size);
    text_add_n(&word, text, strcspn(text, "\n"));
    text_addf(&word, "%08" PRIx32, (uint32_t)rng_hash_bytes(text_str(&word), word.len, 1));
    sim_scenario_init(&scene, "scene");
    (void)sim_shape_pair(&scene, INT64_C(1000000000), UNIT_US, NULL);
    (void)sim_scenario_flow(&scene, 0, 1, 1000, 0, NULL);
    if (token_read(&token, text_str(&word), &err)) {
        if (token_open(&token, &scene, &replay, &err)) {
            struct text again = { 0 };
            (void)token_write(&again, &replay, token.lesson, token.scene, &scene, &err);
            text_finish(&again);
            replay_finish(&replay);
        }
        token_finish(&token);
    } else {
        FUZZ_EXPECT(err.code != ERR_NONE && err.msg[0] != '\0');
    }
    sim_scenario_finish(&scene);
    text_finish(&word);
    free(text);
    return 0;
}
