import { type JsonObject, numberOf } from '../../core/transcript/json'
import type { Summarizer, SummarizerReply, SummarizerRequest } from '../../engine/summary/summarizer'
import { addressOf, type JsonRequest, postJson } from './http-json'

/** A service that summarises: where it is, how it is asked, and how its answer is read. */
type SummaryService = Pick<JsonRequest, 'name' | 'headers' | 'withheld'> & {
  /** Without the path of the request. */
  readonly url: string
  readonly path: string
  readonly body: (request: SummarizerRequest) => object
  readonly read: (answer: JsonObject) => SummarizerReply
}

/** A model behind a service that answers one POST with one summary. */
export function httpSummarizer(service: SummaryService): Summarizer {
  const { name, url, path, headers, withheld } = service
  return {
    name,
    address: url,
    summarize: async (request) => {
      const { timeoutMs, signal } = request
      const body = service.body(request)
      const answer = await postJson({
        name,
        url: addressOf(url, path),
        headers,
        body,
        timeoutMs,
        signal,
        withheld,
      })
      return answer.ok ? service.read(answer.body) : answer
    },
  }
}

/** What a service says it counted; null where one of the two is missing. Tokens. */
export function countedUsage(
  input: unknown,
  output: unknown,
): { readonly input: number; readonly output: number } | null {
  const [read, written] = [numberOf(input), numberOf(output)]
  return read === undefined || written === undefined ? null : { input: read, output: written }
}
