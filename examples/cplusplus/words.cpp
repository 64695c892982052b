// SPDX-License-Identifier: MIT
// Looks words up in a hash map. A plain compiler ignores the pragmas:
//
//     c++ -O2 -Wno-unknown-pragmas words.cpp -o words && ./words          counts once
//     call run words.cpp                                                  measures and fits
//     call run words.cpp -- 2000 64000                                    the same, for these numbers of words
//
// The lookup of a word that is missing throws an exception, which ends the region 'miss' and its sample.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "hash_map.hpp"

static std::string word(unsigned long n)
{
    return "word" + std::to_string(n * 2654435761u % 1000003);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    unsigned long last = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 64000;
    unsigned long n = last, found = 0, missing = 0;
    if (first < 1 || last < first) {
        std::fprintf(stderr, "usage: words [FIRST [LAST]], 1 <= FIRST <= LAST\n");
        return 2;
    }

#pragma cll for (n = first; n <= last; n *= 2)
    hash_map<std::string, int> counts;
#pragma cll insert insert[0] + insert[1]*n
    for (unsigned long i = 0; i < n; i++)
        counts[word(i)]++;
#pragma cll end insert

    auto look_up = [&](unsigned long times) {
#pragma cll look_up look_up[0] + look_up[1]*times
        for (unsigned long i = 0; i < times; i++)
            found += static_cast<unsigned long>(counts.at(word(i)));
#pragma cll end look_up
    };
    for (unsigned long times = 1; times <= n; times *= 4)
        look_up(times);
    try {
#pragma cll miss miss[0]
        found += static_cast<unsigned long>(counts.at("no such word"));
#pragma cll end miss
    } catch (const std::out_of_range &) {
        missing++;
    }

    hash_map<int, double> squares; // another type: the same experiment 'grow'
    for (unsigned long i = 0; i < n; i++)
        squares[static_cast<int>(i)] = static_cast<double>(i) * static_cast<double>(i);
    found += squares.size();
#pragma cll end for

    std::printf("%s\n", found && missing ? "found" : "NOT FOUND");
    return !(found && missing);
}
