import { injectedSummary } from '../core/compaction/rolling'
import type { ContentMessage } from '../core/history/thinking'
import { sourceMessage } from '../core/summary/source-message'
import type { MessageForm } from './live-compaction'

/** How every summary that enters a context begins. */
const SUMMARY_START = injectedSummary('').split('\n')[0] ?? ''

/**
 * How messages are read and made whose `content` is a text or a list of blocks, as pi and OpenClaw keep them: what most
 * agents need as it is. Calls are read from the blocks, results by `toolCallId`, or by `resultFor`.
 */
export const CONTENT_FORM: Omit<MessageForm<ContentMessage>, 'tokensOf'> = {
  toSource: (message, index) => {
    const source = sourceMessage(
      { type: 'message', message: { ...message, ...resultOf(message) } },
      { entryId: `m${index}`, line: index + 1 },
    )
    return source !== null && isSummary(message) ? { ...source, role: 'summary' } : source
  },
  fromText: (text) => ({ role: 'user', content: text }),
  isSummary,
}

function resultOf({ resultFor }: ContentMessage): { readonly toolCallId?: string } {
  return resultFor === undefined ? {} : { toolCallId: resultFor }
}

function isSummary({ content }: ContentMessage): boolean {
  return typeof content === 'string' && content.startsWith(SUMMARY_START)
}
