import type { FormName } from '../../core/forms/form-name'
import type { ContentMessage } from '../../core/history/thinking'
import { modelMessageRules, uiMessageRules } from './ai-sdk-rules'
import { anthropicRules } from './anthropic-rules'
import { chatRules, responsesRules } from './openai-rules'
import { piRules, plainRules } from './pi-rules'
import type { Fields, Rules } from './rules'

const RULES: { readonly [F in Exclude<FormName, 'ai-sdk-ui'>]: Rules } = {
  anthropic: anthropicRules,
  'openai-chat': chatRules,
  'openai-responses': responsesRules,
  'ai-sdk': modelMessageRules,
  pi: piRules,
  plain: plainRules,
}

/**
 * What the API of a form would refuse of a request, a line each; see `Rules`. Lines about calls and results begin with
 * `pairs`.
 */
export async function refusedIn(
  form: FormName,
  messages: readonly ContentMessage[],
  original: readonly ContentMessage[],
): Promise<string[]> {
  const fields = (list: readonly ContentMessage[]) => list.map((message): Fields => ({ ...message }))
  return form === 'ai-sdk-ui'
    ? uiMessageRules(fields(messages))
    : RULES[form](fields(messages), fields(original))
}
