-- DCQCN as hpcc has it: marks at the switch; the sender cuts every D at most, if there was a mark; alpha
-- every A; up every I, F times half the way back, then once by 20 and from then on by 200 Mb/s. Its
-- target stays through cuts in a row; there is no byte counter. Here the receiver sends a CNP for every
-- marked packet, where hpcc's ACKs carry the mark; without a byte counter all steps are additive, so
-- they are all of 200 Mb/s.

local dcqcn = {}

local parameters = {
  fast = { dcqcn_alpha_time = "1us", dcqcn_cut_time = "4us", dcqcn_timer = "300us", dcqcn_f = 1 },
  paper = { dcqcn_alpha_time = "50us", dcqcn_cut_time = "50us", dcqcn_timer = "55us", dcqcn_f = 1 },
}
parameters["fast, low marks"] = parameters.fast
parameters["paper, low marks"] = {}
for knob, value in pairs(parameters.paper) do parameters["paper, low marks"][knob] = value end
parameters["paper, low marks"].dcqcn_f = 5

-- "fast", "paper", each with ", low marks".
function dcqcn.set(name)
  local low = name:find "low"
  local set = {
    ecn = true, cc = "dcqcn", cnp_interval = "0ns", dcqcn_bytes = "unlimited", dcqcn_clamp = false,
    dcqcn_g = "1/256", dcqcn_ai = "200Mbps", dcqcn_min = "100Mbps", pmax = "20%",
    kmin = low and "100KB" or "400KB", kmax = low and "400KB" or "1600KB",
  }
  for knob, value in pairs(parameters[name]) do set[knob] = value end
  return set
end

dcqcn.luck = "marks are drawn at random: this is the luck of one seed, ours the median of seven"
dcqcn.counts = "hpcc's marks come back on ACKs and wait for the sender's next look at them, ours come as CNPs at "
  .. "once: times agree, single frames need not"

return dcqcn
