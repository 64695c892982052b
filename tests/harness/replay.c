/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The main of a fuzz target in builds without libFuzzer: runs the target once on every file of the folders that are its
 * arguments. A folder that does not exist is an empty corpus. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(st.st_size > 0 ? (size_t)st.st_size : 1);
    if (!f || !data || fread(data, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        exit(1);
    }
    fclose(f);
    fprintf(stderr, "%s\n", path); /* a crash follows the name of its input */
    LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int inputs = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            inputs += replay(path);
        }
        if (folder)
            closedir(folder);
    }
    if (inputs == 0) {
        fprintf(stderr, "replay: no file in the folders\n");
        return 1;
    }
    fprintf(stderr, "%d inputs\n", inputs);
    return 0;
}
