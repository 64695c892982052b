. "$CLL_SOURCE/tests/pub/lib.sh"
main "$1"
