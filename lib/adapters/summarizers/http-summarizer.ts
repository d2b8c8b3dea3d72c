import { type JsonObject, numberOf } from '../../core/transcript/json'
import type { Summarizer, SummarizerReply, SummarizerRequest } from '../../engine/summary/summarizer'
import { type JsonService, postTo } from './http-json'

/** A service that summarises: where it is, how it is asked, and how its answer is read. */
type SummaryService = JsonService & {
  readonly body: (request: SummarizerRequest) => object
  readonly read: (answer: JsonObject) => SummarizerReply
}

/** A model behind a service that answers one POST with one summary. */
export function httpSummarizer(service: SummaryService): Summarizer {
  return {
    name: service.name,
    address: service.url,
    summarize: async (request) => {
      const { timeoutMs, signal } = request
      const answer = await postTo(service, { body: service.body(request), timeoutMs, signal })
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
