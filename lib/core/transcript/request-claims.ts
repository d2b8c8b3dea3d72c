import type { Frame } from '../tokens/frame'
import type { EntryFact, Usage } from './entry'
import { repeatsLines, type Sender } from './send-rules'

/** A call by the provider's id of its response, with what it used. */
export type ClaimedRequest = Pick<Frame, 'seq' | 'at'> & { readonly id: string; readonly usage: Usage | null }

/** The requests of a transcript that other transcripts of its runtime may hold as well; none of most runtimes. */
export function requestsOf(
  runtime: Sender,
  facts: readonly EntryFact[],
  frames: readonly Frame[],
): readonly ClaimedRequest[] {
  if (!repeatsLines(runtime)) return []
  return frames.flatMap(({ seq, at }) => {
    const { requestId: id, usage = null } = facts[seq] ?? {}
    return id === undefined ? [] : [{ seq, at, id, usage }]
  })
}

/**
 * Counts a request once over all transcripts that hold it, as those of resumed and forked sessions of Claude Code do: in
 * the one that asks first.
 */
export class RequestClaims {
  private readonly counted = new Set<string>()

  /** @returns those that another transcript has */
  claim(requests: readonly ClaimedRequest[]): readonly ClaimedRequest[] {
    // Within one transcript records of one response are one call already.
    const repeated = requests.filter(({ id }) => this.counted.has(id))
    for (const { id } of requests) this.counted.add(id)
    return repeated
  }
}
