#!/usr/bin/env bash
# The second half of `./run demo`: motions transferred to other surfaces and edited, with pictures.
# usage: tools/demo_motion.sh (after tools/demo.sh, whose run of ClothOnTable it uses)
set -euo pipefail
cd "$(dirname "$0")/.."

toile=$PWD/build/release/bin/toile
out=$PWD/out/demo
sheet=(--sheet 3x2 --size 480x270 --samples 12 --side-by-side)
film=(--size 480x270 --samples 8 --side-by-side)
data=${TOILE_DATA:-../shared/data}/transfer/horse-camel

# Runs a command; its report is for those who ask for it by hand.
quietly() { "$@" >/dev/null; }

# show NAME VIEW SEQUENCE... : a contact sheet and a film of sequences side by side.
show() {
    local name=$1 view=$2
    shift 2
    "$toile" -q render "$@" -o "$out/$name.png" --force --view "$view" "${sheet[@]}"
    "$toile" -q render "$@" -o "$out/$name.mp4" --force --view "$view" "${film[@]}"
    echo "    $out/$name.png    $out/$name.mp4"
}

# An animal of our own swims; its head is changed in one frame; the motion, and then the changed
# motion, go to another animal.
animals() {
    local at=$out/animals
    python3 examples/motion/animal.py "$at"
    quietly "$toile" -q correspond "$at/rest.obj" "$at/another.obj" --markers "$at/markers.cons" \
        -o "$at/pairs.txt" --colors "$at/matched" --force
    quietly "$toile" -q convert "$at/animal_*.obj" -o "$at/animal.pc2" --force
    cp "$at/rest.obj" "$at/animal.obj"
    quietly "$toile" -q edit --sequence "$at/animal.pc2" --frame 6 --edited "$at/edited.obj" \
        -o "$at/animal-edited.pc2" --force
    for motion in animal animal-edited; do
        quietly "$toile" -q transfer --source-rest "$at/rest.obj" --source "$at/$motion.pc2" \
            --target "$at/another.obj" --pairs "$at/pairs.txt" -o "$at/another-$motion.pc2" --force
    done
    echo "animals: a swimming animal, one frame of it edited, and both motions on another animal"
    show animals three-quarter "$at/animal.pc2" "$at/animal-edited.pc2" \
        "$at/another-animal.pc2" "$at/another-animal-edited.pc2"
}

# The run of a cloth moves another: longer, narrower, and with triangles of its own.
garment() {
    local run=$out/clothontable at=$out/garment
    [ -e "$run/cloth.pc2" ] || return 0
    mkdir -p "$at"
    quietly "$toile" -q make random-rectangle --width 1.25 --length 0.7 --divisions 36x20 --rotation 90,0,0 \
        -o "$at/runner.obj" --force
    python3 examples/motion/landmarks.py "$run/cloth.obj" "$at/runner.obj" >"$at/markers.cons"
    quietly "$toile" -q correspond "$run/cloth.obj" "$at/runner.obj" --markers "$at/markers.cons" \
        -o "$at/pairs.txt" --force
    quietly "$toile" -q transfer --source-rest "$run/cloth.obj" --source "$run/cloth" \
        --target "$at/runner.obj" --pairs "$at/pairs.txt" -o "$at/runner-run.pc2" --force
    cp "$at/runner.obj" "$at/runner-run.obj"
    echo "garment: a simulated cloth, and its motion on a longer and narrower one"
    show garment three-quarter "$run/cloth" "$at/runner-run.pc2" --up 0 0 1 --pattern checker
}

# With the field's data at hand, the classic: a horse's gallop on a camel.
horse_to_camel() {
    local at=$out/camel
    [ -e "$data/horse-reference.obj" ] || return 0
    mkdir -p "$at"
    quietly "$toile" -q correspond "$data/horse-reference.obj" "$data/camel-reference.obj" \
        --markers "$data/markers-golevka-107.cons" -o "$at/pairs.txt" --colors "$at/matched" --force
    quietly "$toile" -q transfer --source-rest "$data/horse-reference.obj" --source "$data/horse-0*.obj" \
        --target "$data/camel-reference.obj" --pairs "$at/pairs.txt" -o "$at/camel.pc2" --force
    echo "camel: five poses of a horse, and of a camel by them"
    show camel side "$data/horse-0*.obj" "$at/camel.pc2"
}

mkdir -p "$out"
animals
garment
horse_to_camel
echo "Motions were transferred and edited. (${SECONDS} s)"
