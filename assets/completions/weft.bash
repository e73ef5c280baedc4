# bash completion for weft: printed by `weft manual bash`.

_weft() {
    local cur prev command= words= i commands switches
    COMPREPLY=()
    # a word at the cursor whole, although = parts words here
    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $cur == = ]]; then
        cur=
        [[ $prev == -* ]] || prev+='='
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
        [[ $prev == -* ]] || prev+='='
    fi
    commands='open lab run compare sweep export check list knobs keys new api validate bench doctor manual'
    switches='flow_control= xoff= xon= xon_offset= headroom= pfc_response= pfc_travel= vl_buffer= cred_min= hol_lifetime= watchdog= watchdog_detect= watchdog_restore= watchdog_poll= buffer= alpha= queue_cap= queue_alpha= ecn= kmin= kmax= pmax= cc= cnp_interval= dcqcn_cut_time= dcqcn_clamp= dcqcn_g= dcqcn_alpha_time= dcqcn_timer= dcqcn_bytes= dcqcn_f= dcqcn_ai= dcqcn_hai= dcqcn_min= switch_latency= cut_through= routing= ecmp_seed= adaptive_choices= flowlet_gap= ttl= reroute= flood_lossless= link= rate= delay= wire_overhead= wire_gap= wire_ack= staging= stage_chunk= inside_latency= mtu= transport= queue_pairs= verb= ack_every= ack_class= timeout_exponent= retry_limit= window= rto_low= rto_high= reorder_window= mss= rto_min= rto_initial= tcp_retries= tlp= delayed_ack= tcp_class= rank_order= bytes= bucket= compute= jitter= steps= collective= pieces= servers= group= inside= overlap= admission= round_trigger= memory= snapshots='
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ " $commands " == *" ${COMP_WORDS[i]} "* ]]; then
            command=${COMP_WORDS[i]}
            break
        fi
    done
    case $command:$prev in
    *:--card) return ;;
    *:--route) return ;;
    *:--set) words=$switches; compopt -o nospace 2>/dev/null ;;
    *:--vs) words=$switches; compopt -o nospace 2>/dev/null ;;
    *:--seed) return ;;
    *:--until) return ;;
    *:--scene) return ;;
    *:--do) return ;;
    *:--fail-if) return ;;
    *:--jobs) return ;;
    *:--shard) return ;;
    lab:--format) words='text json' ;;
    run:--format) words='text json csv' ;;
    compare:--format) words='text json' ;;
    sweep:--format) words='csv json' ;;
    check:--format) words='text json' ;;
    list:--format) words='text json' ;;
    knobs:--format) words='text json' ;;
    keys:--format) words='text json' ;;
    api:--format) words='text json lua markdown' ;;
    validate:--format) words='text json' ;;
    bench:--format) words='text json' ;;
    doctor:--format) words='text json' ;;
    *:--out) compopt -o default 2>/dev/null; return ;;
    export:--to) words='json csv pcapng svg asciicast worksheet' ;;
    *:--size) return ;;
    :--theme) words='dark light contrast okabe-ito mono' ;;
    open:--theme) words='dark light contrast okabe-ito mono' ;;
    lab:--theme) words='dark light contrast okabe-ito mono' ;;
    run:--theme) words='dark light contrast okabe-ito mono' ;;
    compare:--theme) words='dark light contrast okabe-ito mono' ;;
    sweep:--theme) words='dark light contrast okabe-ito mono' ;;
    export:--theme) words='dark light contrast okabe-ito mono' ;;
    check:--theme) words='dark light contrast okabe-ito mono' ;;
    list:--theme) words='dark light contrast okabe-ito mono' ;;
    knobs:--theme) words='dark light contrast okabe-ito mono' ;;
    keys:--theme) words='dark light contrast okabe-ito mono' ;;
    new:--theme) words='dark light contrast okabe-ito mono' ;;
    api:--theme) words='dark light contrast okabe-ito mono' ;;
    validate:--theme) words='dark light contrast okabe-ito mono' ;;
    bench:--theme) words='dark light contrast okabe-ito mono' ;;
    doctor:--theme) words='dark light contrast okabe-ito mono' ;;
    manual:--theme) words='dark light contrast okabe-ito mono' ;;
    *:--limit) return ;;
    export:--plot) words='queue held pause load credits goodput rate window' ;;
    *:--every) return ;;
    *:--at) return ;;
    *:--snaplen) return ;;
    *:--save) compopt -o default 2>/dev/null; return ;;
    :--color) words='auto never none 16 256 truecolor' ;;
    open:--color) words='auto never none 16 256 truecolor' ;;
    lab:--color) words='auto never none 16 256 truecolor' ;;
    run:--color) words='auto never none 16 256 truecolor' ;;
    compare:--color) words='auto never none 16 256 truecolor' ;;
    sweep:--color) words='auto never none 16 256 truecolor' ;;
    export:--color) words='auto never none 16 256 truecolor' ;;
    check:--color) words='auto never none 16 256 truecolor' ;;
    list:--color) words='auto never none 16 256 truecolor' ;;
    knobs:--color) words='auto never none 16 256 truecolor' ;;
    keys:--color) words='auto never none 16 256 truecolor' ;;
    new:--color) words='auto never none 16 256 truecolor' ;;
    api:--color) words='auto never none 16 256 truecolor' ;;
    validate:--color) words='auto never none 16 256 truecolor' ;;
    bench:--color) words='auto never none 16 256 truecolor' ;;
    doctor:--color) words='auto never none 16 256 truecolor' ;;
    manual:--color) words='auto never none 16 256 truecolor' ;;
    *:--fps) return ;;
    *:flow_control=) words='none pfc credits' ;;
    *:pfc_travel=) words='cable instant' ;;
    *:watchdog=) words='off drop forward' ;;
    *:ecn=) words='off on' ;;
    *:cc=) words='none dcqcn' ;;
    *:dcqcn_clamp=) words='off on' ;;
    *:cut_through=) words='off on' ;;
    *:routing=) words='dmodk ecmp spray adaptive flowlet in_turn' ;;
    *:ecmp_seed=) words='own same' ;;
    *:flood_lossless=) words='off on' ;;
    *:link=) words='ethernet infiniband' ;;
    *:staging=) words='direct host' ;;
    *:transport=) words='go_back_n go_back_0 selective tcp' ;;
    *:verb=) words='send write' ;;
    *:ack_class=) words='control data' ;;
    *:tlp=) words='off on' ;;
    *:tcp_class=) words='lossy lossless' ;;
    *:rank_order=) words='rack mixed' ;;
    *:collective=) words='ring tree double_tree halving_doubling parameter_server all_to_all hierarchical' ;;
    *:inside=) words='direct chain' ;;
    *:round_trigger=) words='received acked' ;;
    *:*=) return ;;
    esac
    if [[ -z $words && $cur == -* ]]; then
        case $command in
        '') words='--card --route --notes --set --seed --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        open) words='--theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        lab) words='--set --seed --list --format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        run) words='--set --seed --until --bare --scene --do --format --out --theme --save --token --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        compare) words='--set --vs --seed --until --bare --scene --do --fail-if --format --out --theme --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        sweep) words='--set --seed --until --bare --scene --do --jobs --shard --merge --format --out --theme --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        export) words='--card --notes --set --vs --seed --until --bare --scene --do --out --to --fine --animate --size --theme --limit --plot --every --at --snaplen --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        check) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        list) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        knobs) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        keys) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        new) words='--out --theme --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        api) words='--format --out --theme --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        validate) words='--format --theme --full --peers --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        bench) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        doctor) words='--format --theme --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        manual) words='--out --theme --force --plain --ascii --unicode --color --no-mouse --reduced-motion --fps --help --version' ;;
        esac
    elif [[ -z $words ]]; then
        compopt -o default 2>/dev/null
        case $command in
        '') words="$commands $(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        lab) words="$(weft lab --list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        run) words="$(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        compare) words="$(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        sweep) words="$(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        export) words="$(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        check) words="$(weft list --format json 2>/dev/null | sed -n 's/.*"id": "\([^"]*\)".*/\1/p')" ;;
        manual) words='weft weft-lesson bash zsh fish' ;;
        esac
    fi
    # shellcheck disable=SC2207 # no word of ours has a blank
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _weft weft
