import type { ReplayPolicy } from '../replay-policy'

/** Keeps the newest turns of the user whole, and lets everything before them go. */
export function keepTurns(turns: number): ReplayPolicy {
  return {
    id: `keep-turns-${turns}`,
    label: `Newest ${turns} turns`,
    about: `Each call sends the newest ${turns} turns of the user and nothing before them.`,
    source: 'a turn limit, as OpenClaw has for chats (`historyLimit`)',
    family: 'keep',
    start: (walk) => {
      let from = 0
      return () => {
        const { turn } = walk.session.chunks
        const oldest = (turn[walk.end - 1] ?? 0) - turns
        let to = from
        while (to < walk.end && (turn[to] as number) <= oldest) to++
        if (to > from) from = walk.leaveEntries(from, to, 'turns')
      }
    },
  }
}

/** Keeps what the newest calls added. */
export function keepCalls(calls: number): ReplayPolicy {
  return {
    id: `keep-calls-${calls}`,
    label: `Newest ${calls} calls`,
    about: `Each call sends what came in with the newest ${calls} calls, as a window that slides; a result goes with its call.`,
    source: 'a sliding window, the default of many libraries',
    family: 'keep',
    start: (walk) => {
      let from = 0
      return (call) => {
        const { born } = walk.session.chunks
        let to = from
        while (to < walk.end && (born[to] as number) <= call - calls) to++
        if (to > from) from = walk.leaveEntries(from, to, 'calls')
      }
    },
  }
}

/** Keeps about so many of the newest tokens. */
export function keepTokens(tokens: number): ReplayPolicy {
  return {
    id: `keep-tokens-${tokens / 1000}k`,
    label: `Newest ${tokens / 1000}k tokens`,
    about: `Each call sends the newest ${tokens} tokens of the conversation, whole messages; a result goes with its call.`,
    source: 'a sliding window of tokens, as chat libraries trim histories (`trim_messages`)',
    family: 'keep',
    start: (walk) => {
      let from = 0
      return () => {
        const { firstChunk, placeOf } = walk.shape
        while (walk.live > tokens && from < walk.end) {
          const next = firstChunk[(placeOf[from] as number) + 1] as number
          if (next >= walk.end) break
          from = walk.leaveEntries(from, next, 'tokens')
        }
      }
    },
  }
}
