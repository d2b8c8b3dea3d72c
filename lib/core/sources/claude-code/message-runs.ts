import { isObject, type JsonObject } from '../../transcript/json'
import type { Bytes } from '../../units/units'
import { nameOf, type RequestPlace } from './recorded-request'

/** Longer runs are no message. */
const MAX_RUN: Bytes = 32 * 1024 * 1024

/**
 * Lines that may be one message together: the blocks of one answer, and what came under the user's role between two
 * answers (the results of calls side by side are one message). Places only.
 */
export class MessageRuns {
  private readonly ended: RequestPlace[][] = []
  private answer: { readonly id: string | null; readonly places: RequestPlace[] } = { id: null, places: [] }
  private results: RequestPlace[] = []
  private spoken: RequestPlace[] = []

  take(line: JsonObject, { id, content }: JsonObject, place: RequestPlace): void {
    if (line.type === 'assistant') {
      const name = nameOf(id)
      if (name === null || name !== this.answer.id) this.begin(name)
      this.answer.places.push(place)
      return
    }
    this.spoken.push(place)
    if (isResult(content)) this.results.push(place)
  }

  /** All that have more than one line; what is running ends. */
  all(): readonly (readonly RequestPlace[])[] {
    this.begin(null)
    return this.ended
  }

  private begin(id: string | null): void {
    const { answer, results, spoken } = this
    const isSame = results.length === spoken.length
    for (const places of [answer.places, results, isSame ? [] : spoken]) {
      const bytes = places.reduce((sum, place) => sum + place.bytes, 0)
      if (places.length > 1 && bytes <= MAX_RUN) this.ended.push(places)
    }
    this.answer = { id, places: [] }
    this.results = []
    this.spoken = []
  }
}

function isResult(content: unknown): boolean {
  if (!Array.isArray(content)) return false
  const [first] = content
  return isObject(first) && first.type === 'tool_result'
}
