import type { FormName } from '../../core/forms/form-name'
import type { ContentMessage } from '../../core/history/thinking'
import type { TalkStep } from './steps'
import { modelMessages, uiMessages } from './write-ai-sdk'
import { anthropicMessages } from './write-anthropic'
import { chatMessages, responseItems } from './write-openai'
import { piMessages, plainMessages } from './write-pi'

const WRITERS: { readonly [F in FormName]: (steps: readonly TalkStep[]) => readonly unknown[] } = {
  anthropic: anthropicMessages,
  'openai-chat': chatMessages,
  'openai-responses': responseItems,
  'ai-sdk': modelMessages,
  'ai-sdk-ui': uiMessages,
  pi: piMessages,
  plain: plainMessages,
}

/** A conversation as an agent keeps it whose messages have the form. Written with the SDKs' own types. */
export function writtenIn(form: FormName, steps: readonly TalkStep[]): ContentMessage[] {
  return WRITERS[form](steps) as ContentMessage[]
}
