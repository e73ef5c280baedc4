"""What tshark makes of a capture: no frame malformed, no error, every field as the model has it.

    judge.py fields CAPTURE [WANT]    WANT: lines as `captures write` makes them
    judge.py stream CAPTURE BYTES     its only TCP stream, put together: so many bytes of filler
    judge.py counts CAPTURE (FILTER N)...   so many frames pass the display filter ("+": some)
"""
import subprocess
import sys

CLASSES = 8
ERROR = 0x800000  # severity of expert information
FIELDS = (
    ["frame.time_epoch", "frame.len", "infiniband.bth.opcode", "infiniband.bth.psn",
     "infiniband.aeth.syndrome", "ip.dsfield.ecn", "macc.cbfc.enbv"]
    + ["macc.cbfc.pause_time.c%d" % i for i in range(CLASSES)]
    + ["exported_pdu.exported_pdu", "tcp.len", "_ws.malformed", "_ws.expert.severity"])


def tshark(capture, *arguments):
    run = subprocess.run(["tshark", "-n", "-r", capture, *arguments], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit("tshark: " + run.stderr)
    return run.stdout.splitlines()


def as_wanted(columns):
    """The columns of one frame in the form of a line of WANT."""
    head, times, (credits, tcp) = columns[:7], columns[7:7 + CLASSES], columns[15:17]
    time = ""
    if head[6]:
        prio = int(head[6], 16).bit_length() - 1
        time = times.pop(prio)
        if any(t != "0" for t in times):
            sys.exit("other classes have a pause time, too: %s" % columns)
    return head + [time, credits[:8], tcp]


def fields(capture, want):
    arguments = ["-T", "fields"]
    for field in FIELDS:
        arguments += ["-e", field]
    wanted = [line.rstrip("\n").split("\t") for line in open(want)] if want else None
    frames = tshark(capture, *arguments)
    for number, line in enumerate(frames):
        if wanted is not None and number == len(wanted):
            break  # the list is no longer than that
        columns = line.split("\t")
        severities = [int(s) for s in columns[18].split(",") if s]
        if columns[17] or any(s >= ERROR for s in severities):
            sys.exit("frame %d is malformed or in error: %s" % (number + 1, columns))
        if wanted is not None and as_wanted(columns) != wanted[number]:
            sys.exit("frame %d is %s\nthe model has %s"
                     % (number + 1, as_wanted(columns), wanted[number]))
    if not frames and wanted != []:
        sys.exit("no frames")


def stream(capture, size):
    lines = tshark(capture, "-q", "-z", "follow,tcp,raw,0")
    data = bytes.fromhex("".join(s for s in lines if s and all(c in "0123456789abcdef" for c in s)))
    if len(data) != size or any(byte != n & 255 for n, byte in enumerate(data)):
        sys.exit("%d bytes, not %d as they were sent" % (len(data), size))


def counts(capture, pairs):
    filters = pairs[0::2]
    table = tshark(capture, "-q", "-z", ",".join(["io,stat,0"] + filters))
    row = [line for line in table if "<>" in line][0].strip("|").split("|")
    for number, (display, wanted) in enumerate(zip(filters, pairs[1::2])):
        found = int(row[1 + 2 * number])
        if found == 0 if wanted == "+" else found != int(wanted):
            sys.exit("%s: %d frames, not %s" % (display, found, wanted))


if sys.argv[1] == "fields":
    fields(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
elif sys.argv[1] == "stream":
    stream(sys.argv[2], int(sys.argv[3]))
else:
    counts(sys.argv[2], sys.argv[3:])
