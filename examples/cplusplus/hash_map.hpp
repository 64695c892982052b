// SPDX-License-Identifier: MIT
// A hash map with open addressing. Its regions are in a template, in a header: all types and all sources that use it
// add their samples to the same experiments.
#ifndef HASH_MAP_HPP
#define HASH_MAP_HPP

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

template <class Key, class Value> class hash_map {
    struct slot {
        Key key{};
        Value value{};
        bool used = false;
    };
    std::vector<slot> slots;
    std::size_t count = 0;

    std::size_t find(const Key &key) const
    {
        std::size_t at = std::hash<Key>()(key) * 0x9e3779b97f4a7c15u % slots.size();
        while (slots[at].used && !(slots[at].key == key))
            at = at + 1 == slots.size() ? 0 : at + 1;
        return at;
    }

    // Twice as many slots: the cost of each entry that moves.
    void grow()
    {
#pragma cll grow(entries = size()) grow[0] + grow[1]*entries
        std::vector<slot> old(slots.size() * 2);
        old.swap(slots);
        for (slot &s : old)
            if (s.used)
                slots[find(s.key)] = std::move(s);
#pragma cll end grow
    }

  public:
    hash_map() : slots(16) {}

    std::size_t size() const
    {
        return count;
    }

    Value &operator[](const Key &key)
    {
        if (count * 2 >= slots.size())
            grow();
        slot &s = slots[find(key)];
        if (!s.used) {
            s.key = key;
            s.used = true;
            count++;
        }
        return s.value;
    }

    const Value &at(const Key &key) const
    {
        const slot &s = slots[find(key)];
        if (!s.used)
            throw std::out_of_range("no such key");
        return s.value;
    }
};

#endif
