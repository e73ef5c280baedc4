---@meta weft
-- Printed by `weft api --format lua`: what editors with the Lua language server
-- complete and check. The program does not read it.

---A time with its unit: "10us".
---@alias weft.time string

---A rate with its unit: "100Gbps".
---@alias weft.rate string

---A size with its unit: "8MiB".
---@alias weft.size string

---A share: "20%", 0.2.
---@alias weft.share string|number

---What a lesson does.
---@class weft.item

---@class weft
local weft = {}

---A time, a size or a rate.
---@class weft.quantity
---@field ps number
---@field ns number
---@field us number
---@field ms number
---@field s number
---@field bytes number
---@field kb number
---@field mb number
---@field gbps number
---@operator add(weft.quantity|string): weft.quantity
---@operator sub(weft.quantity|string): weft.quantity
---@operator mul(number): weft.quantity
---@operator div(number): weft.quantity
---@operator div(weft.quantity|string): number

---@class weft.measured.report
---@field outcome string "done", "stalled", "time-limit" or "memory-limit"
---@field finish weft.quantity how long the run took, or has taken so far
---@field steps weft.measured.steps training steps: steps[2].duration, #steps
---@field this weft.measured.step the first training step to end after this card began
---@field collective weft.measured.collective the collectives that are over
---@field gpu_busy number share of the time in which GPUs computed, 0 to 1
---@field packets weft.measured.packets counters of packets
---@field pfc weft.measured.pfc what PFC did
---@field ecn weft.measured.ecn marks and warnings
---@field credits weft.measured.credits what credits did
---@field inside weft.measured.inside what cables inside boxes carried
---@field timeouts integer timers that ran out
---@field naks integer NAKs sent
---@field events integer events simulated
---@field timeout weft.quantity how long a sender waits for an ACK
---@field flow fun(which: string): weft.measured.flow a flow by its name: flow("g3>g4").fct
---@field port fun(which: string): weft.measured.port a port by its name: port("leaf1:3").held
---@field card weft.measured.card what has happened since this card began; in another scene: since its start
---@field stall string why it is stalled: "deadlock", "storm" ...; "none" while it is not
---@field cycle integer ports that wait for each other in a circle, at this moment
---@field watchdogs integer times the PFC watchdog took a port over
---@field work weft.measured.work what the training asks for
---@field set weft.measured.set switches as they stand: set.xoff
---@field scenes weft.measured.scenes other scenes, each a report: scenes.mixed.finish

---@class weft.measured.step
---@field step integer its number, from 1
---@field start weft.quantity when it began
---@field finish weft.quantity when everybody was at the barrier
---@field duration weft.quantity end less start
---@field compute weft.quantity the longest compute phase
---@field exposed_comm weft.quantity duration less compute: exchange and waiting
---@field slowest string who was last at the barrier

---@class weft.measured.collective
---@field count integer how many are over
---@field bytes weft.quantity what each GPU brings to one
---@field mean weft.quantity duration of one, on average
---@field p50 weft.quantity its median
---@field p99 weft.quantity its 99th percentile
---@field max weft.quantity the longest
---@field algbw weft.quantity bytes of one by its mean duration
---@field busbw weft.quantity the same as cables see it (NCCL tests call it so)

---@class weft.measured.packets
---@field sent integer data packets sent, every attempt
---@field delivered integer data packets that receivers took in
---@field dropped integer data packets lost
---@field by fun(which: string): integer frames lost for one reason: by("headroom"), by("icrc")
---@field retransmitted integer data packets sent again
---@field refused integer data packets that came out of order, or twice
---@field answers_dropped integer ACKs, NAKs and CNPs lost
---@field hops integer packets and ACKs carried over one cable each

---@class weft.measured.pfc
---@field xoff_frames integer PAUSE frames that stop a sender
---@field xon_frames integer PAUSE frames that let it go on
---@field paused weft.quantity time spent paused, over all ports

---@class weft.measured.ecn
---@field marked integer data packets that got an ECN mark
---@field cnps integer warnings sent back to senders

---@class weft.measured.credits
---@field stalled weft.quantity time that packets waited for credits, over all ports

---@class weft.measured.inside
---@field pcie weft.quantity payload, counted on each PCIe cable
---@field nvlink weft.quantity payload, counted on each NVLink cable
---@field memory weft.quantity payload, counted on each memory bus
---@field pcie_crossings number PCIe cables that a delivered byte crossed, on average

---@class weft.measured.flow
---@field name string its name
---@field bytes weft.quantity payload posted
---@field start weft.quantity when it began
---@field fct weft.quantity from its start to its last ACK
---@field fct_all weft.quantity the same for all queue pairs of its connection
---@field goodput weft.quantity payload by that time
---@field acked integer data packets that its sender need not send again (go-back-0: those of whole messages)
---@field arrived weft.quantity payload that has arrived so far
---@field mean_rate weft.quantity that by the time since its start, also of a flow that has no end
---@field retransmitted integer data packets sent again
---@field dropped integer data packets lost
---@field cwnd integer tcp: congestion window (packets)
---@field ssthresh integer tcp: slow-start threshold (packets)
---@field rtt weft.quantity tcp: smoothed round trip
---@field rto weft.quantity how long it waits for an ACK
---@field rate weft.quantity cc dcqcn: what it may send

---@class weft.measured.port
---@field queue weft.quantity bytes that wait to leave by it
---@field queue_peak weft.quantity the most that ever waited there
---@field held weft.quantity bytes held from the neighbour there
---@field headroom weft.quantity those of them that lie in the headroom
---@field headroom_limit weft.quantity how much headroom there is for them
---@field dropped integer packets lost for want of room toward this cable
---@field load number share of the time so far in which it has sent
---@field pause number share of it in which its neighbour paused it

---@class weft.measured.card
---@field time weft.quantity how long it has run
---@field goodput weft.quantity payload that arrived in it, of all flows together
---@field delivered integer data packets that receivers took in
---@field dropped integer data packets lost
---@field retransmitted integer data packets sent again
---@field timeouts integer timers that ran out
---@field xoff_frames integer PAUSE frames that stop a sender

---@class weft.measured.work
---@field gpus integer GPUs in the training
---@field rounds integer rounds of one collective
---@field buckets integer collectives in one step
---@field bytes weft.quantity gradient of each GPU and step
---@field packets integer data packets of a step
---@field packets_per_gpu integer those that one GPU sends
---@field packets_per_message integer those of one message

---@class weft.moment.moment
---@field flow fun(which: string): weft.moment.flow a flow by its name, or its number from 1
---@field port fun(which: string): weft.moment.port a port by its name: port("leaf1:3")
---@field dropped_by fun(which: string): integer lost for one reason: "ttl"
---@field step fun(which: integer): weft.quantity duration of a training step, from 1
---@field compute fun(which: integer): weft.quantity its compute phase
---@field now weft.quantity when it is
---@field outcome string "running", "done", "stalled" or "memory-limit"
---@field done_at weft.quantity when the work was complete
---@field cycle integer ports that wait for each other in a circle
---@field stall string why it is stalled; "none" while it is not
---@field stalled_since weft.quantity since when
---@field collective weft.quantity duration of the first collective
---@field sent integer data packets sent, every attempt
---@field delivered integer data packets that receivers took in
---@field dropped integer data packets lost
---@field retransmitted integer data packets sent again
---@field xoff_frames integer PAUSE frames that stop a sender
---@field xon_frames integer PAUSE frames that let it go on
---@field paused weft.quantity time spent paused, over all ports
---@field marked integer data packets that got an ECN mark
---@field cnps integer warnings sent back to senders
---@field timeouts integer timers that ran out
---@field naks integer NAKs sent
---@field answers_dropped integer ACKs, NAKs and CNPs lost
---@field hops integer packets and ACKs carried over one cable each
---@field starved weft.quantity time that packets waited for credits, over all ports
---@field pcie_bytes weft.quantity payload, counted on each PCIe cable
---@field nvlink_bytes weft.quantity payload, counted on each NVLink cable
---@field memory_bytes weft.quantity payload, counted on each memory bus
---@field watchdogs integer times the PFC watchdog took a port over

---@class weft.moment.flow
---@field posted weft.quantity payload posted
---@field delivered weft.quantity payload that has arrived
---@field start weft.quantity when it began
---@field delivered_at weft.quantity when all of it had arrived
---@field acked_at weft.quantity when its sender knew
---@field sent integer data packets sent, every attempt
---@field resent integer data packets sent again
---@field dropped integer data packets lost
---@field acked integer the first PSN that is not acknowledged
---@field error boolean its sender has given up
---@field cwnd integer tcp: congestion window (packets)
---@field ssthresh integer tcp: slow-start threshold (packets)
---@field rtt weft.quantity tcp: smoothed round trip
---@field rto weft.quantity how long it waits for an ACK
---@field rate weft.quantity cc dcqcn: what it may send

---@class weft.moment.port
---@field waiting weft.quantity what stands in its queue
---@field max weft.quantity the most that ever stood there
---@field mean_bytes number on average over time, in bytes
---@field dropped integer data packets lost there
---@field paused boolean its neighbour pauses it
---@field held weft.quantity shared buffer that packets from it take
---@field held_headroom weft.quantity headroom that they take
---@field credits integer credits it may use (blocks of 64 bytes)
---@field credits_held integer blocks its neighbour holds
---@field credits_fit integer blocks its neighbour has room for
---@field starved boolean it has a packet and no credits
---@field busy weft.quantity time it has sent

---@class weft.measured.steps
---@field [integer] weft.measured.step

---@class weft.measured.scenes
---@field [string] weft.measured.report

---@class weft.measured.set
---@field [string] any a switch as it stands

---@class weft.moment.moments
---@field [integer] weft.moment.moment
---@field last weft.moment.moment

---Switches: see `weft knobs`.
---@class weft.knobs
---@field pfc? boolean|"on"|"off" short for flow_control = pfc or none
---@field flow_control? "none"|"pfc"|"credits" who may stop a sender in the fabric: none (full queues drop), pfc (pause frames) or credits (InfiniBand)
---@field xoff? weft.size bytes held from one neighbour at which a switch sends PAUSE
---@field xon? weft.size|"auto" bytes held at which it lets the neighbour go on; auto: xon_offset below xoff
---@field xon_offset? weft.size|"auto" how far below xoff an automatic xon lies; auto: two frames
---@field headroom? weft.size|"auto" room behind xoff for what is still on its way; auto: from rate, cable and frame size
---@field pfc_response? weft.time|"auto" time a port takes to obey PAUSE; auto: the bound of IEEE 802.3 annex 31B for its rate
---@field pfc_travel? "cable"|"instant" PAUSE frames travel on the cable, like all others, or are at its other end in an instant (to repeat simulators that do so)
---@field vl_buffer? weft.size credits: room a port keeps for each virtual lane; its neighbour may send that much ahead
---@field cred_min? weft.time credits: least time between two credit packets of one virtual lane
---@field hol_lifetime? weft.time|"unlimited" credits: how long the first packet of a switch queue may lack credits before it is discarded
---@field watchdog? "off"|"drop"|"forward" what a switch does about a port paused for too long: off, drop its packets or forward them all the same
---@field watchdog_detect? weft.time how long a port must have been paused without a break, with packets waiting
---@field watchdog_restore? weft.time how long no PAUSE must have been in force before the port works as before
---@field watchdog_poll? weft.time how often the watchdog looks
---@field buffer? weft.size|"unlimited" memory of a switch, shared by all its ports
---@field alpha? weft.share|"auto" XOFF as a share of the buffer that is still free (alpha); auto: the fixed xoff
---@field queue_cap? weft.size|"unlimited" bytes that may wait for one cable when nothing pauses the senders; the rest is dropped
---@field queue_alpha? weft.share|"auto" tail drop as a share of the buffer that is still free; auto: queue_cap alone
---@field ecn? boolean|"off"|"on" mark packets that leave a long queue, so that their receiver can warn the sender
---@field kmin? weft.size queue toward one cable above which some packets are marked
---@field kmax? weft.size queue above which all packets are marked
---@field pmax? weft.share share of packets that are marked just below kmax
---@field cc? "none"|"dcqcn" what a sender does about ECN marks: none, or dcqcn (slow down when warned, creep up again)
---@field cnp_interval? weft.time a receiver warns each sender at most this often
---@field dcqcn_cut_time? weft.time time from the first warning, and from each cut, to the next cut, if one came since; 0: cut at once
---@field dcqcn_clamp? boolean|"off"|"on" each cut brings the target down to the rate before it; off: only the first of several without an increase in between
---@field dcqcn_g? weft.share weight of the newest warning in the memory of congestion (g)
---@field dcqcn_alpha_time? weft.time time without a warning after which some congestion is forgotten
---@field dcqcn_timer? weft.time time between two increases of the rate
---@field dcqcn_bytes? weft.size|"unlimited" bytes sent between two increases of the rate
---@field dcqcn_f? integer increases that halve the way back before the target itself rises
---@field dcqcn_ai? weft.rate additive increase of the target
---@field dcqcn_hai? weft.rate hyper increase of the target
---@field dcqcn_min? weft.rate rate below which nobody is slowed
---@field switch_latency? weft.time time from the last bit of a frame to its egress queue, in switches of the fabric
---@field cut_through? boolean|"off"|"on" send a frame on as soon as its header is in, where the way is free; off: when all of it is
---@field routing? "dmodk"|"ecmp"|"spray"|"adaptive"|"flowlet"|"in_turn" which of several equal paths: dmodk (by destination, spread evenly), ecmp (by hash of the flow), spray (each packet at random), in_turn (a flow's packets take them one after the other), adaptive (each packet where the queue is shortest, in steps of 5, 10 and 20 % of the buffer, at random among equals) or flowlet (a flow's next burst at random)
---@field ecmp_seed? "own"|"same" routing ecmp: switches hash flows each with a seed of its own, or all with the same; then those behind the first find nothing left to choose by (polarisation)
---@field adaptive_choices? integer routing adaptive: so many ways are drawn at random, and the shortest queue of these is taken; 0: of all
---@field flowlet_gap? weft.time routing flowlet: silence of a flow at a switch after which it may take another path
---@field ttl? integer cables between switches that a packet may cross before it is dropped (Ethernet)
---@field reroute? weft.time time until switches stop using a link that is down; until then it swallows packets
---@field flood_lossless? boolean|"off"|"on" a lossless packet whose port is not known goes to all ports (on) or is dropped (off)
---@field link? "ethernet"|"infiniband" frame and slot sizes in the fabric: ethernet (RoCEv2) or infiniband
---@field rate? weft.rate|"auto" rate of every cable of the fabric; auto: as the scenario built them
---@field delay? weft.time|"auto" time light takes along every cable of the fabric (5 ns a metre); auto: as the scenario built them
---@field wire_overhead? weft.size|"auto" what a data frame has besides its payload: headers and check sums; auto: as link and transport say (RoCEv2: 62)
---@field wire_gap? weft.size|"auto" for so many bytes' time a cable is busy besides each frame; auto: as the link says (Ethernet: 8 before, 12 behind)
---@field wire_ack? weft.size|"auto" frame of an ACK or NAK; auto: as link and transport say (RoCEv2: 66)
---@field staging? "direct"|"host" from one box to another: direct (NIC to GPU memory, GPUDirect) or host (copied through the memory of each box)
---@field stage_chunk? weft.size|"auto" staging host: so much is sent on together, in whole packets, while the rest is still being copied; auto: all of a message
---@field inside_latency? weft.time inside a box: time from the last bit of a packet to the next queue, in NVSwitches, PCIe switches and NICs
---@field mtu? weft.size payload of a full packet
---@field transport? "go_back_n"|"go_back_0"|"selective"|"tcp" what a sender does about a gap: go_back_n (send again from the gap on), go_back_0 (the whole message), selective (only what is missing) or tcp (NewReno, in a class that may drop)
---@field queue_pairs? integer queue pairs (tcp: connections) from one GPU to another; each message is split evenly over them, and ECMP sends each its own way
---@field verb? "send"|"write" send, or write (16 bytes of RETH on the first packet of a message)
---@field ack_every? integer packets per ACK; the last packet of a message is always acknowledged, and the one that fills a window; 0: only these
---@field ack_class? "control"|"data" ACKs and NAKs travel as control (served first, never paused) or like the data they are about (they queue with it and PFC pauses them)
---@field timeout_exponent? integer n in 4.096 us x 2^n: how long a sender waits for an ACK (12: 16.8 ms, NCCL's 20: 4.29 s)
---@field retry_limit? integer timeouts in a row before the queue pair gives up
---@field window? integer|"unlimited" packets that a selective sender may have outstanding (the BDP cap of IRN)
---@field rto_low? weft.time timeout of a selective sender with at most three packets outstanding
---@field rto_high? weft.time timeout of a selective sender with more outstanding
---@field reorder_window? weft.time time a selective receiver waits for a missing packet before it asks: what spraying needs
---@field mss? weft.size tcp: payload of a full segment
---@field rto_min? weft.time tcp: least time a sender waits for an ACK before it starts over
---@field rto_initial? weft.time tcp: that time while no round trip has been measured yet
---@field tcp_retries? integer tcp: timeouts in a row before the connection gives up
---@field tlp? boolean|"off"|"on" tcp: probe a silent tail after about two round trips, as today's systems do; off: the classic wait for the timeout
---@field delayed_ack? weft.time tcp: acknowledge every second segment, or a lone one after this time; 0: each at once
---@field tcp_class? "lossy"|"lossless" tcp: lossy (full queues drop) or lossless (where PFC may pause the senders)
---@field rank_order? "rack"|"mixed" who is whose neighbour in the ring: rack (as cabled) or mixed (every neighbour in the other half)
---@field bytes? weft.size|"auto" gradient bytes that each GPU adds to the sum in one step; auto: as the scenario says
---@field bucket? weft.size|"auto" gradients go out in all-reduces of this many bytes, one after another; auto: as the scenario says
---@field compute? weft.time|"auto" time a GPU computes in each step before it exchanges gradients; auto: as the scenario says
---@field jitter? weft.time a random extra of up to this much compute time, drawn for each GPU and step
---@field steps? integer|"auto" training steps until the run is done; auto: as the scenario says
---@field collective? "ring"|"tree"|"double_tree"|"halving_doubling"|"parameter_server"|"all_to_all"|"hierarchical" how gradients are summed: ring, tree, double_tree, halving_doubling, parameter_server (the last hosts are servers), hierarchical; or all_to_all
---@field pieces? integer pieces that follow one another through a tree, or along a chain inside a group
---@field servers? integer how many of the hosts, the last ones, are parameter servers; each answers for a part of the gradients
---@field group? integer|"auto" ranks in a group of the hierarchical collective; auto: the GPUs of a box, where boxes are alike, else 8
---@field inside? "direct"|"chain" how a group's gradients reach its leader and come back: direct (all at once) or chain (piece by piece)
---@field overlap? weft.share share of the compute time (the backward pass) in which buckets become ready one after another; 0: all at its end
---@field admission? integer messages a receiver lets come at a time, by a clear-to-send before each; 0: senders do not wait for one
---@field round_trigger? "received"|"acked" a GPU goes on when a message is received (as hardware does) or acked (when its sender knows, as some simulators do)
---@field memory? weft.size memory the fabric's state may take before the run ends with outcome memory-limit
---@field snapshots? weft.size memory for copies of the fabric's state, from which going back in time starts; 0: always from the beginning

---a lesson: its head, its scenes and its items in order
---@class weft.lesson

---@class weft.lesson.fields
---@field api integer version of this language: 1 (1 to 1)
---@field id string the lesson's name on the command line; also its file's name
---@field title string what the learner reads in the list
---@field year integer where it stands in the timeline (1950 to 2100)
---@field minutes integer how long it takes (1 to 60)
---@field level? integer 1 first steps, 2 mechanisms, 3 research (1 to 3)
---@field sources? table<string|integer, string> keys of assets/bibliography or of the folder's index.lua that prose cites; Key = "reference" for one of its own
---@field terms? table<string|integer, string> words that are new here, at most four: of assets/glossary.txt, of the folder's index.lua, or ["word"] = "what it means"
---@field builds_on? any[] ids of the lessons that come before this one
---@field scenes table<string|integer, weft.scenario> name = weft.scenario{...}
---@field [integer] weft.item the items, in order

---a lesson: its head, its scenes and its items in order
---@param fields weft.lesson.fields
---@return weft.lesson
function weft.lesson(fields) end

---what a run starts from: a fabric, a workload, switches
---@class weft.scenario

---@class weft.scenario.fields
---@field fabric weft.leaf_spine|weft.fat_tree|weft.star|weft.rail|weft.ring|weft.pair|weft.box|weft.fabric weft.leaf_spine, weft.fat_tree, weft.rail, weft.ring, weft.star, weft.pair, weft.box or weft.fabric
---@field workload weft.training|weft.flows|weft.incast|weft.permutation|weft.poisson|weft.requests weft.training, weft.flows, weft.incast, weft.permutation, weft.poisson or weft.requests
---@field set? weft.knobs starting values of switches: knob = value
---@field classes? table<string|integer, weft.class> what ports do with priorities: [3] = { weight = 50, lossless = true }
---@field vl_arbitration? weft.vl_arbitration InfiniBand, instead of classes: { high = { { vl = 3, weight = 64 } }, low = { ... }, limit = 4 }
---@field routes? (weft.route)[] routes by hand: { at = "leaf1", to = "g7", via = "spine1" }
---@field pins? (weft.pin)[] flows with a path of their own: { flow = "g1>g5", via = "spine2" }
---@field faults? (weft.faults)[] commands with their times: { at = "1ms", "slow g2 50%" }
---@field name? string shown in reports; else the scene's name
---@field year? integer when networks were like this, for the list of the lab (1950 to 2100)
---@field about? string what there is to see and to try, for the lab; {...} is measured
---@field offers? (weft.switch)[] switches that the lab puts on the digits: weft.switch{...}
---@field true_size? string what is as large as in reality, for the scale line
---@field shrunk? string what is smaller than in reality, for the scale line

---what a run starts from: a fabric, a workload, switches
---@param fields weft.scenario.fields
---@return weft.scenario
function weft.scenario(fields) end

---a fabric: hosts under leaves, every leaf cabled to every spine
---@class weft.leaf_spine

---@class weft.leaf_spine.fields
---@field leaves integer switches with hosts (1 to 1024)
---@field spines integer switches between the leaves (1 to 1024)
---@field hosts integer hosts under each leaf (1 to 1024)
---@field rate weft.rate of the hosts' cables
---@field uplink_rate? weft.rate of the cables between leaf and spine; else the same
---@field delay weft.time light through one cable: 5 ns a metre
---@field box? weft.box weft.box: each host is such a box, its NICs cabled to the leaf

---a fabric: hosts under leaves, every leaf cabled to every spine
---@param fields weft.leaf_spine.fields
---@return weft.leaf_spine
function weft.leaf_spine(fields) end

---a fabric: a three-tier fat tree of equal switches, full bisection
---@class weft.fat_tree

---@class weft.fat_tree.fields
---@field ports integer of each switch, an even number k: k pods of k/2 edge and k/2 aggregation switches, k^3/4 hosts (2 to 24)
---@field rate weft.rate of every cable
---@field delay weft.time light through one cable: 5 ns a metre
---@field box? weft.box weft.box: each host is such a box, its NICs cabled to the edge switch

---a fabric: a three-tier fat tree of equal switches, full bisection
---@param fields weft.fat_tree.fields
---@return weft.fat_tree
function weft.fat_tree(fields) end

---a fabric: hosts round one switch
---@class weft.star

---@class weft.star.fields
---@field hosts integer hosts round the switch (2 to 1024)
---@field rate weft.rate of every cable
---@field delay weft.time light through one cable: 5 ns a metre
---@field box? weft.box weft.box: each host is such a box, its NICs cabled to the switch

---a fabric: hosts round one switch
---@param fields weft.star.fields
---@return weft.star
function weft.star(fields) end

---a fabric: rail-optimised, one switch for each GPU number of the boxes
---@class weft.rail

---@class weft.rail.fields
---@field boxes integer servers (1 to 512)
---@field box weft.box weft.box: what each server is; nics is its number of GPUs, and else that; switches else, too, so that each GPU has its NIC beside it
---@field spines? integer switches that join the rails; else none. What changes the rail crosses a spine, or PCIe in the box it goes to (0 to 64)
---@field rate weft.rate of the cables from NIC to rail
---@field uplink_rate? weft.rate of the cables between rail and spine; else the same
---@field delay weft.time light through one cable: 5 ns a metre

---a fabric: rail-optimised, one switch for each GPU number of the boxes
---@param fields weft.rail.fields
---@return weft.rail
function weft.rail(fields) end

---a fabric: switches in a ring, each with its hosts
---@class weft.ring

---@class weft.ring.fields
---@field switches integer sw1, sw2, ... each cabled to the next, the last to the first: 3 or more; open: 2 (2 to 256)
---@field hosts integer hosts at each switch (1 to 64)
---@field open? boolean true: a row, without the cable from the last to the first
---@field clockwise? boolean true: all packets go round the same way, from sw1 to sw2; else the shorter one
---@field rate weft.rate of the hosts' cables
---@field trunk_rate? weft.rate of the cables between switches; else the same
---@field delay weft.time light through one cable: 5 ns a metre
---@field box? weft.box weft.box: each host is such a box, its NICs cabled to the switch

---a fabric: switches in a ring, each with its hosts
---@param fields weft.ring.fields
---@return weft.ring
function weft.ring(fields) end

---a fabric: two hosts and one cable
---@class weft.pair

---@class weft.pair.fields
---@field rate weft.rate of the cable
---@field delay weft.time light through the cable: 5 ns a metre
---@field box? weft.box weft.box: both hosts are such boxes, joined NIC to NIC

---a fabric: two hosts and one cable
---@param fields weft.pair.fields
---@return weft.pair
function weft.pair(fields) end

---a box of GPUs joined by NVLink, PCIe or both: a fabric of its own, or the hosts of another
---@class weft.box

---@class weft.box.fields
---@field gpus integer g1, g2, ... numbered through all boxes (1 to 64)
---@field nvlink? any of each GPU, to an NVSwitch nvs1: a generation from 1 to 5, or a rate one way ("450GB/s")
---@field pcie? any every PCIe cable, under a root root1: a generation from 1 to 6, or a rate one way ("8GB/s")
---@field lanes? integer of every PCIe cable: 1, 2, 4, 8 or 16; else 16 (1 to 16)
---@field switches? integer PCIe switches pcie1, ... that share out GPUs and NICs; else all are plugged into the root (0 to 64)
---@field nics? integer NICs nic1, ... on PCIe; else none (0 to 64)
---@field memory? weft.rate rate of the bus of its memory h1, for staging; else the model has no memory
---@field delay? weft.time light through every cable of the box; else 1 ns, 20 cm

---a box of GPUs joined by NVLink, PCIe or both: a fabric of its own, or the hosts of another
---@param fields weft.box.fields
---@return weft.box
function weft.box(fields) end

---a fabric built freely: nodes, and the cables between them
---@class weft.fabric

---@class weft.fabric.fields
---@field nodes (weft.node)[] weft.node{...}, in the order of the ranks
---@field links (weft.link)[] weft.link{...}; a host needs one, and may have more

---a fabric built freely: nodes, and the cables between them
---@param fields weft.fabric.fields
---@return weft.fabric
function weft.fabric(fields) end

---a host or a switch of weft.fabric
---@class weft.node

---@class weft.node.fields
---@field name string letters, digits, - _ . beginning with a letter
---@field kind "host"|"switch"|"memory" "host" (a GPU or a server), "switch" (also an NVSwitch, a PCIe root, a NIC) or "memory"
---@field row? integer where it stands in the picture, from the top; all nodes have a place or none (1 to 16)
---@field column? integer the same from the left; no two nodes stand at the same place (1 to 32)

---a host or a switch of weft.fabric
---@param fields weft.node.fields
---@return weft.node
function weft.node(fields) end

---a cable of weft.fabric
---@class weft.link

---@class weft.link.fields
---@field a string node at one end
---@field b string node at the other end
---@field kind? "fabric"|"pcie"|"nvlink"|"memory" what it is: "fabric", or inside a box "pcie", "nvlink" or "memory"; else fabric
---@field rate? weft.rate of the cable, one way; or gen
---@field gen? integer instead of a rate: the generation of PCIe or NVLink (1 to 6)
---@field lanes? integer with gen: lanes of PCIe, else 16; links of NVLink, else all of one GPU (1 to 18)
---@field delay? weft.time light through the cable: 5 ns a metre; inside a box else 1 ns

---a cable of weft.fabric
---@param fields weft.link.fields
---@return weft.link
function weft.link(fields) end

---a workload: compute, exchange, barrier, again and again
---@class weft.training

---@class weft.training.fields
---@field collective weft.ring_allreduce|weft.collective how the gradients are summed: weft.ring_allreduce or weft.collective
---@field compute weft.time time a GPU computes in each step before it exchanges
---@field steps integer training steps until the run is done (1 to 100000)

---a workload: compute, exchange, barrier, again and again
---@param fields weft.training.fields
---@return weft.training
function weft.training(fields) end

---a collective: everybody ends up with everybody's sum, passed round a ring
---@class weft.ring_allreduce

---@class weft.ring_allreduce.fields
---@field bytes weft.size gradient of each GPU and step
---@field bucket? weft.size size of one all-reduce; else all in one

---a collective: everybody ends up with everybody's sum, passed round a ring
---@param fields weft.ring_allreduce.fields
---@return weft.ring_allreduce
function weft.ring_allreduce(fields) end

---any collective by its name
---@class weft.collective

---@class weft.collective.fields
---@field kind string a word of the switch `collective`: "tree", "all_to_all" ...
---@field bytes weft.size what each GPU brings to it in a step
---@field bucket? weft.size size of one; else all in one

---any collective by its name
---@param fields weft.collective.fields
---@return weft.collective
function weft.collective(fields) end

---a workload: messages from host to host
---@class weft.flows

---@class weft.flows.fields
---@field blocks? integer how often all of it is sent; the next time begins when all have arrived (1 to 1000000)
---@field [integer] weft.flow the flows

---a workload: messages from host to host
---@param fields weft.flows.fields
---@return weft.flows
function weft.flows(fields) end

---a workload: many hosts send to one, all at once
---@class weft.incast

---@class weft.incast.fields
---@field to string host that receives
---@field from any how many hosts send, or a list of their names
---@field bytes weft.size size of each message
---@field start? weft.time when all are posted; else at 0
---@field blocks? integer so many messages each: all begin the next when the last of all has arrived; else 1 (1 to 1000000)

---a workload: many hosts send to one, all at once
---@param fields weft.incast.fields
---@return weft.incast
function weft.incast(fields) end

---a workload: every host sends to the one so many further on
---@class weft.permutation

---@class weft.permutation.fields
---@field shift integer how many hosts further on the receiver is, round the end (1 to 8191)
---@field bytes weft.size size of each message
---@field start? weft.time when all are posted; else at 0

---a workload: every host sends to the one so many further on
---@param fields weft.permutation.fields
---@return weft.permutation
function weft.permutation(fields) end

---a workload: every host sends to random others, at random times
---@class weft.poisson

---@class weft.poisson.fields
---@field load weft.share payload of each host, as a share of its line
---@field bytes weft.size size of a message
---@field pairs? integer how many others a host sends to; else one (1 to 1024)
---@field seed? integer which others these are; else 1 (1 to 1000000000)

---a workload: every host sends to random others, at random times
---@param fields weft.poisson.fields
---@return weft.poisson
function weft.poisson(fields) end

---a workload: independent web requests, questions of clients to servers and their answers
---@class weft.requests

---@class weft.requests.fields
---@field count integer how many (1 to 32768)
---@field clients integer how many of the hosts ask, the first ones; the others answer (1 to 8191)
---@field ask weft.size size of a question
---@field answer weft.size size of an answer
---@field gap weft.time mean time from one to the next, over all clients
---@field seed? integer who asks whom, and when; else 1 (1 to 1000000000)

---a workload: independent web requests, questions of clients to servers and their answers
---@param fields weft.requests.fields
---@return weft.requests
function weft.requests(fields) end

---a row of the validation table
---@class weft.validation

---@class weft.validation.fields
---@field id string the row's name; also its file's name
---@field setup string what is built and run
---@field source string where the expected values come from
---@field full? boolean true: takes long, runs with --full only
---@field pending? string why it cannot be run yet
---@field cases? (weft.case)[] weft.case{...}

---a row of the validation table
---@param fields weft.validation.fields
---@return weft.validation
function weft.validation(fields) end

---one set-up of a row: what runs, and what is measured
---@class weft.case

---@class weft.case.fields
---@field name? string what tells it from the other cases
---@field scenario? weft.scenario what runs
---@field scenarios? (weft.scenario)[] or: several, to be compared
---@field probe? string or: a mechanism alone
---@field at? any[] when to look: times ("5ms") or events ("xoff", "resumed sw:2"); else at the end
---@field limit? weft.time where a run ends that goes on; else at 60 s
---@field seeds? integer runs with seeds 1 to this; else with 1 alone (1 to 100000)
---@field over? "mean"|"median"|"worst" what is taken over the seeds; else the mean
---@field measures (weft.measure)[] weft.measure{...}

---one set-up of a row: what runs, and what is measured
---@param fields weft.case.fields
---@return weft.case
function weft.case(fields) end

---one number of a case, and what it should be
---@class weft.measure

---@class weft.measure.fields
---@field name string what is measured
---@field of fun(m: weft.moment.moments): any function(m): the number, from the moments of the run
---@field unit "ps"|"ns"|"us"|"ms"|"s"|"B"|"KB"|"MB"|"Mb/s"|"Gb/s"|"%"|"share"|"times"|"frames"|"packets"|"messages"|"marks"|"CNPs"|"moments"|"hosts"|"ports"|"credits"|"timeouts"|"steps"|"flows"|"states" of all its numbers
---@field expected? number what it should be
---@field tolerance? any how far off it may be: a number, or "2%"; else not at all
---@field least? number or: it must not be below this
---@field most? number or: it must not be above this
---@field peers? (weft.peer)[] what other simulators measured: { name = "csg", figure = 856.3, within = "0.01%" }
---@field disputed? string why the expected value is believed to be wrong

---one number of a case, and what it should be
---@param fields weft.measure.fields
---@return weft.measure
function weft.measure(fields) end

---starts the run of a scene from 0
---@class weft.scene: weft.item

---starts the run of a scene from 0
---@param text string
---@return weft.scene
function weft.scene(text) end

---prose of a card: Markdown, at most 45 words, {...} measures
---@class weft.say: weft.item

---prose of a card: Markdown, at most 45 words, {...} measures
---@param text string
---@return weft.say
function weft.say(text) end

---a word to the teacher: shown with --notes only, never to a learner
---@class weft.note: weft.item

---a word to the teacher: shown with --notes only, never to a learner
---@param text string
---@return weft.note
function weft.note(text) end

---moves switches: knob = value
---@class weft.set: weft.item

---moves switches: knob = value
---@param fields weft.knobs
---@return weft.set
function weft.set(fields) end

---offers a switch to the learner
---@class weft.switch: weft.item

---@class weft.switch.fields
---@field knob string which switch: see `weft knobs`
---@field values any[] what its digit goes through, two at least
---@field label? string words for the panel; else the knob's
---@field no_effect? string why nothing will change, if so

---offers a switch to the learner
---@param fields weft.switch.fields
---@return weft.switch
function weft.switch(fields) end

---destroys a packet, or invites the learner to
---@class weft.drop: weft.item

---@class weft.drop.fields
---@field flow string whose packet: "g3>g4"
---@field which any "first", "middle", "last" of the step, the number of a packet in it, or "resend": the next one sent again
---@field attempts? integer how often in a row the packet is destroyed; else once (1 to 100)
---@field step? integer training step; else this one (1 to 100000)
---@field ask? boolean true: the learner may destroy any packet, this is the fallback

---destroys a packet, or invites the learner to
---@param fields weft.drop.fields
---@return weft.drop
function weft.drop(fields) end

---a fault, here and now: "link leaf1:3 down", "burst 5 g1>g2"
---@class weft.fault: weft.item

---a fault, here and now: "link leaf1:3 down", "burst 5 g1>g2"
---@param text string
---@return weft.fault
function weft.fault(text) end

---what if: this run beside the same one with one change from here on; it goes on as if nothing had been
---@class weft.compare: weft.item

---what if: this run beside the same one with one change from here on; it goes on as if nothing had been
---@param text string
---@return weft.compare
function weft.compare(text) end

---where to look from here on: which view, which node
---@class weft.focus: weft.item

---@class weft.focus.fields
---@field view? "main"|"text"|"timeline"|"events"|"switches"|"gpus"|"plot"|"distribution" what fills the screen's lower left, until Tab chooses another
---@field node? string the cursor is put on the lane of this node's first cable

---where to look from here on: which view, which node
---@param fields weft.focus.fields
---@return weft.focus
function weft.focus(fields) end

---what is plotted over time from here on, in the screen's lower left: weft.plot { "held leaf1:1", "queue leaf1:3" }
---@class weft.plot: weft.item

---@class weft.plot.fields
---@field [integer] string the names

---what is plotted over time from here on, in the screen's lower left: weft.plot { "held leaf1:1", "queue leaf1:3" }
---@param fields weft.plot.fields
---@return weft.plot
function weft.plot(fields) end

---runs on until something happens
---@class weft.play: weft.item

---@class weft.play.fields
---@field to? "barrier"|"end"|"time"|"drop"|"nak"|"timeout"|"xoff"|"round" what ends it
---@field time? weft.time or: how long to run on, in simulated time
---@field gear? "keep"|"packet"|"round"|"step"|"timeout" how fast to watch; else as it was
---@field rate? weft.time simulated time that passes in a second of watching; else what the gear has

---runs on until something happens
---@param fields weft.play.fields
---@return weft.play
function weft.play(fields) end

---a question to answer before the run does
---@class weft.predict: weft.item

---@class weft.predict.fields
---@field name? string what weft.branch calls this question
---@field ask string the question
---@field choices? (weft.choice)[] two to four answers
---@field answer? "choice"|"number" "number": instead of choices, the learner types one
---@field unit? "count"|"time"|"rate"|"bytes"|"share" of that number: "time", "rate", "bytes", "share" (a ratio) or "count"
---@field tolerance? weft.share how far from the truth it may be, as a share of that; else 10%
---@field low? string reply to a number that is too small; {...} is measured
---@field high? string reply to a number that is too large; {...} is measured
---@field because string said when the truth is known; {...} is measured
---@field truth fun(r: weft.measured.report): any function(r): number of the right choice; or the number that is asked for, a quantity of its unit
---@field sure? boolean whether to ask how sure one is; else true

---a question to answer before the run does
---@param fields weft.predict.fields
---@return weft.predict
function weft.predict(fields) end

---a question from an earlier lesson; no run is needed to judge it, and it may be skipped
---@class weft.recall: weft.item

---@class weft.recall.fields
---@field name? string what weft.branch calls this question
---@field from string id of the lesson that it comes from
---@field ask string the question
---@field choices (weft.choice)[] two to four answers
---@field right integer number of the right one (1 to 4)
---@field because string said to every answer
---@field sure? boolean whether to ask how sure one is; else false

---a question from an earlier lesson; no run is needed to judge it, and it may be skipped
---@param fields weft.recall.fields
---@return weft.recall
function weft.recall(fields) end

---cards that depend on an answer; behind them all ways meet again
---@class weft.branch: weft.item

---@class weft.branch.fields
---@field on string name of a question that everybody was asked before
---@field right? weft.item[] for who was right
---@field wrong? weft.item[] for who was not, or whose answer could not be checked
---@field low? weft.item[] for a number that was too small
---@field high? weft.item[] for a number that was too large
---@field otherwise? weft.item[] for every other answer; without it they go straight on
---@field [integer] weft.item[] for who chose the answer of this number

---cards that depend on an answer; behind them all ways meet again
---@param fields weft.branch.fields
---@return weft.branch
function weft.branch(fields) end

---a task: the learner brings the fabric to a goal with the switches of the card
---@class weft.fix: weft.item

---@class weft.fix.fields
---@field goal string what is to be reached, a sentence
---@field check fun(r: weft.measured.report): any function(r): whether a run with the learner's switches, from 0 to its end, reaches it, and values to show when it does not
---@field solution weft.knobs values of this card's switches that reach it: knob = value; `weft check` tries them
---@field hints? any[] texts, shown one after the other to who asks for them
---@field because? string said when it is reached; {...} is measured in the run that reached it
---@field reply? string said when it is not; {...} is measured in the run that did not
---@field time? weft.time how long a try runs, in simulated time; else until the workload is done

---a task: the learner brings the fabric to a goal with the switches of the card
---@param fields weft.fix.fields
---@return weft.fix
function weft.fix(fields) end

---a sentence that must be true, and the function that judges it
---@class weft.claim: weft.item

---a sentence that must be true, and the function that judges it
---@param text string
---@param check fun(r: weft.measured.report): any
---@return weft.claim
function weft.claim(text, check) end

---one message of weft.flows
---@class weft.flow
---@field src string host that sends; a memory may, too
---@field dst string host that receives; a memory may, too
---@field bytes weft.size size of the message
---@field start? weft.time when it is posted; else at 0
---@field prio? integer its traffic class or service level; else 3 (0 to 7)
---@field gap? weft.time one message after another, so far apart, for ever
---@field load? weft.share the same as a share of the source's line (of its NIC, for what leaves a box): "45%"
---@field messages? integer how many; else one, or with a gap for ever (1 to 1000000000)
---@field poisson? boolean true: at random times with that mean
---@field answer? weft.size for each message that arrives its receiver sends one of this size back: the next flow

---what ports do with one of the eight priorities
---@class weft.class
---@field weight? integer share of what strict classes leave; 0: strict (0 to 1000)
---@field vl? integer InfiniBand: the virtual lane that this service level travels on; else the one of its number. ACKs: 6 (0 to 7)
---@field lossless? boolean whether PFC applies to it

---InfiniBand: which virtual lane a port serves next, by two tables
---@class weft.vl_arbitration
---@field high? (weft.vl_entry)[] entries served first, in turns; at most 64
---@field low? (weft.vl_entry)[] entries served when those have nothing, or have reached the limit; at most 64
---@field limit? integer bytes, in 4096, that high entries may send before low ones have a chance; 0: one packet, 255: no limit; else 0 (0 to 255)

---an entry of these tables: a lane's turn
---@class weft.vl_entry
---@field vl integer the lane (0 to 7)
---@field weight integer bytes, in 64, that it may send in its turn; the last packet is sent whole (0 to 255)

---a route that a scenario sets by hand
---@class weft.route
---@field at string the switch
---@field to string the host that packets are for
---@field via string the neighbour they are sent to

---a flow that a scenario binds to a path
---@class weft.pin
---@field flow string whose packets: "g1>g5", "g1>g5/2" the second queue pair
---@field via string the switch they take, where there is a choice

---a command that comes with a scenario, and its time
---@class weft.faults
---@field at? weft.time when; else at 0
---@field [integer] string the text

---one answer of weft.predict
---@class weft.choice
---@field belief? string what one thinks who says this
---@field reply? string own answer to this choice
---@field [integer] string the text

---what another simulator measured
---@class weft.peer
---@field name string which one
---@field figure? number its figure
---@field least? number or: its figures of several runs, from this
---@field most? number to this
---@field within? any how far off ours may be without a reason: a number, or "2%"; else only the direction counts
---@field why? string the reason why ours differs, for who knows neither well

return weft
