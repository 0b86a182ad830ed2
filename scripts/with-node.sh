#!/bin/sh
# with-node.sh NAME [ARGUMENT …]: runs scripts/NAME.mjs on a Node that is new enough.
# A shell can exec another program and Node 20 cannot: only one process is left, which gets every signal itself.
scripts=$(dirname "$0")
name=$1
shift
node=$(node "$scripts/own-node.cjs") || exit 1
exec "$node" "$scripts/$name.mjs" "$@"
