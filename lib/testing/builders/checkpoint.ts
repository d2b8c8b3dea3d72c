type Fields = { readonly [key: string]: unknown }

/** The way on which the checkpoints of these builders were made. */
export const OPENAI_ROUTE = {
  provider: 'openai',
  api: 'openai-responses',
  model: 'gpt-5.5',
  baseUrlHash: '1vvz2ym1b7r8un',
}

/** A record of a compaction on the provider's side, as OpenClaw 2026.9 writes it; `over` replaces any field. */
export function checkpointRecord(over: Fields = {}): Fields {
  return {
    v: 1,
    type: 'openai-responses-compaction',
    id: 'cmp_1',
    data: 'gAAAAAopaque',
    replayIndex: 0,
    ...OPENAI_ROUTE,
    ...over,
  }
}

/** The same with a complete window of user messages. */
export function retainedRecord(texts: readonly string[], over: Fields = {}): Fields {
  const { replayIndex: _, ...record } = checkpointRecord({ type: 'openai-responses-retained-compaction' })
  const messages = texts.map((text) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  }))
  const item = { type: 'compaction', id: record.id, encrypted_content: record.data }
  return {
    ...record,
    compactedWindow: { state: 'ready', output: JSON.stringify([...messages, item]) },
    ...over,
  }
}

/** A record of Anthropic, whose data is the summary. */
export function summaryRecord(data: string, over: Fields = {}): Fields {
  const { id: _, ...record } = checkpointRecord()
  return {
    ...record,
    type: 'anthropic-compaction',
    data,
    provider: 'anthropic',
    api: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    ...over,
  }
}

/** A record of the provider's refusal of a checkpoint on this way. */
export function suppressionRecord(over: Fields = {}): Fields {
  const { id: _, replayIndex: __, ...record } = checkpointRecord()
  return { ...record, type: 'openai-responses-compaction-suppression', data: 'rejected', ...over }
}

/** Fields of an answer on the OpenAI route, with a record if there is one. */
export function openaiAnswer(providerReplay?: unknown): { readonly model: string; readonly fields: Fields } {
  const { provider, api, model } = OPENAI_ROUTE
  return { model, fields: { provider, api, ...(providerReplay !== undefined && { providerReplay }) } }
}
