import type { PromptState } from '../tokens/build-frame'
import { addToSums, EMPTY_SUMS } from '../tokens/context-sums'
import type { EntryFact } from './entry'
import { type CallRoute, isOwnSession, isSameRoute, type Route } from './fold/call-route'
import { type CheckpointFamily, isUsable } from './provider-checkpoint'
import { familiesOf, keepsOrphans, replayedOwner, suppresses } from './replay-plan'
import { replayStep, type SendState } from './send-rules'

/** A context as it is after some entry. */
export type SentState = PromptState & { readonly send: SendState }

/** The context that begins with the newest checkpoint of a family, for calls on its route. */
type ReplayState = SentState & { readonly route: Route }

/**
 * The full history after some entry, and beside it what is sent with a provider's checkpoint. Which of them a call is
 * sent depends on its route. Plain JSON.
 */
export type NodeState = SentState & { readonly replays?: { readonly [F in CheckpointFamily]?: ReplayState } }

/** What a call on a route is sent; `family`: with whose checkpoint, null: the full history. */
export function sentOn(
  node: NodeState,
  route: CallRoute,
): { readonly state: SentState; readonly family: CheckpointFamily | null } {
  if (node.replays === undefined) return { state: node, family: null }
  for (const family of familiesOf(route.api)) {
    const state = node.replays[family]
    if (state !== undefined && isSameRoute(state.route, route)) return { state, family }
  }
  return { state: node, family: null }
}

/** The same with a change of every context in it. */
export function inEach(node: NodeState, change: (state: SentState) => SentState): NodeState {
  const { replays, ...full } = node
  if (replays === undefined) return change(node)
  const { openai, anthropic } = replays
  return {
    ...change(full),
    replays: {
      ...(openai !== undefined && { openai: { ...change(openai), route: openai.route } }),
      ...(anthropic !== undefined && { anthropic: { ...change(anthropic), route: anthropic.route } }),
    },
  }
}

/** The same with one context changed. */
export function inOne(
  node: NodeState,
  family: CheckpointFamily | null,
  change: (state: SentState) => SentState,
): NodeState {
  if (family === null) return { ...change(node), ...(node.replays && { replays: node.replays }) }
  const state = node.replays?.[family]
  if (state === undefined) return node
  return { ...node, replays: { ...node.replays, [family]: { ...change(state), route: state.route } } }
}

/**
 * What an entry's record of the provider changes for later calls: the incremental form of `findReplay`.
 * @param session hash of the session's own id
 */
export function takeCheckpoint(node: NodeState, fact: EntryFact, session: string | null): NodeState {
  const { checkpoint } = fact
  if (checkpoint === undefined || checkpoint.family === null) return node
  const { family } = checkpoint
  const known = node.replays?.[family]
  if (checkpoint.kind === 'suppression')
    return known !== undefined && suppresses(checkpoint.route, known.route, session)
      ? withReplay(node, family, null)
      : node
  if (!isUsable(checkpoint) || checkpoint.kind === 'stale' || !isOwnSession(checkpoint.route, session))
    return withReplay(node, family, null)
  const owner = replayedOwner(fact, checkpoint)
  return withReplay(node, family, {
    sums: addToSums(EMPTY_SUMS, owner),
    anchor: null,
    overhead: node.overhead,
    send: replayStep(owner, keepsOrphans(checkpoint)).state,
    route: checkpoint.route,
  })
}

function withReplay(node: NodeState, family: CheckpointFamily, state: ReplayState | null): NodeState {
  const { [family]: _, ...others } = node.replays ?? {}
  const { replays: __, ...full } = node
  const replays = state === null ? others : { ...others, [family]: state }
  return Object.keys(replays).length === 0 ? full : { ...full, replays }
}
