#!/bin/sh
# Captures before their judge: tshark reads each of them without a malformed frame and without an error,
# and its fields are those of the model.
# Arguments: the weft to test, the root of the source tree, `captures`; and for random fabrics and all
# lessons: how many fabrics.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/../cli/weft.sh"
here=$root/tests/export
judge() { # ARGUMENT...
    python3 "$here/judge.py" "$@"
}
capture() { # NAME ARGUMENT...: of the incast, with settings
    name=$1
    shift
    run export "$here/incast.lua" --out "$tmp/$name.pcapng" "$@"
    [ "$status" = 0 ] || shows
    check "$name: every field" judge fields "$tmp/$name.pcapng"
}

# ---- every kind of frame ----
capture roce --set ecn=on --set kmin=10KB --set kmax=30KB --set pmax=1 --set cc=dcqcn --set verb=write \
    --do '5us drop g2>g3 middle'
check 'a drop, what mends it, pauses, marks, warnings' judge counts "$tmp/roce.pcapng" \
    'frame.comment contains "dropped at sw: a fault"' 1 \
    'frame.comment contains "retransmission 1"' + \
    'ip.checksum.status == 0 || _ws.malformed' 0 \
    'infiniband.aeth.syndrome == 0x60' 2 \
    'macc.cbfc.pause_time.c3 == 65535' + \
    'macc.cbfc.enbv == 8 && macc.cbfc.pause_time.c3 == 0' + \
    'ip.dsfield.ecn == 3 && frame.comment contains "marked CE at sw"' + \
    'infiniband.bth.opcode == 0x81 && ip.dsfield.dscp == 48' + \
    'infiniband.bth.opcode == 6 && infiniband.reth.dmalen == 300000' + \
    '!macc && !(udp.dstport == 4791)' 0
capture infiniband --set link=infiniband --set flow_control=credits
check 'packets and credits' judge counts "$tmp/infiniband.pcapng" \
    'infiniband.lrh.dlid == 3 && infiniband.bth.opcode == 1' + \
    'frame.comment contains "credits of lane 3"' +
capture tcp --set transport=tcp --set queue_cap=20KB --set rto_min=1ms --at g2
check 'losses and all, a stream is put together' judge stream "$tmp/tcp.pcapng" 300000
run export "$here/incast.lua" --to pcapng --out - --at g1
check 'a pipe' test "$(tshark -r - -c 20 <"$tmp/out" 2>/dev/null | grep -c RRoCE)" = 20
if [ -z "${4:-}" ]; then
    tap_done
    exit
fi

# ---- the rarer ones, random fabrics, lessons ----
capture ipv6-and-vlan --set wire_overhead=86B --set wire_ack=90B
check 'all of it' judge counts "$tmp/ipv6-and-vlan.pcapng" '!macc && !(ipv6 && vlan.priority)' 0
capture infiniband-write --set link=infiniband --set flow_control=credits --set verb=write
capture sized --set mtu=1000B --set bytes=12345B
capture selective --set transport=selective --set flow_control=none --set queue_cap=10KB
seed=1
while [ "$seed" -le "$4" ]; do
    if "$3" write "$seed" "$tmp" >"$tmp/said" && ! grep -q '^nothing to capture' "$tmp/said"; then
        check "fabric $seed" judge fields "$tmp/$seed.pcapng" "$tmp/$seed.want"
    fi
    rm -f "$tmp/$seed".*
    seed=$((seed + 1))
done
sed 's/bytes = "300KB"/bytes = "2KB", start = "4300s"/' "$here/incast.lua" >"$tmp/late.lua"
run export "$tmp/late.lua" --out "$tmp/late.pcapng" --until 4400s
check 'beyond 2^32 microseconds' test "$(tshark -r "$tmp/late.pcapng" -c 1 -T fields -e frame.time_epoch 2>/dev/null)" = 4300.000000000
run export one-lost-packet --out "$tmp/cards.pcapng" --at g3 --limit 4MB
check 'cards' judge counts "$tmp/cards.pcapng" 'frame.comment == "card 1"' 1 'frame.comment == "card 2"' 1
(ulimit -f 2048 && run export one-lost-packet --out "$tmp/full.pcapng"; [ "$status" = 1 ] || shows)
check 'a full disk leaves a capture' judge fields "$tmp/full.pcapng"
# The beginning of each: some never end, and some happen in a box, where there is nothing to capture.
for lesson in "$root"/lessons/*.lua; do
    name=$(basename "$lesson" .lua)
    [ "$name" = index ] && continue
    run export "$lesson" --out "$tmp/$name.pcapng" --limit 4MB --until 20ms
    grep -q '^weft: there is no cable of the fabric there' "$tmp/err" && continue
    check "lesson $name" judge fields "$tmp/$name.pcapng"
    rm -f "$tmp/$name.pcapng"
done
tap_done
