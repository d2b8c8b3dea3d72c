import type { JsonObject } from '../json'

const NAME = '[\\w.:|+/=-]'
const PRINTABLE = '[ !#-\\[\\]-~]'
const NUMBER = '(?:0|[1-9]\\d{0,14})'
const DETAIL = `"\\w+":(?:"${PRINTABLE}*"|${NUMBER}|true|false|null)`

/** A tool's result as pi and OpenClaw write it, with one text, no escapes but a stand-in, and flat details. */
const RESULT = new RegExp(
  `^\\{"type":"message","id":"(${NAME}{1,64})","parentId":"(${NAME}{1,64})","timestamp":"([\\d:.TZ-]{1,32})",` +
    `"message":\\{"role":"toolResult","toolCallId":"(${NAME}{1,256})","toolName":"(${NAME}{1,128})",` +
    `"content":\\[\\{"type":"text","text":"(?:\\\\u0001(${PRINTABLE})|(${PRINTABLE}*))"\\}\\]` +
    `(?:,"details":\\{(?:${DETAIL}(?:,${DETAIL})*)?\\})?,"isError":(true|false),"timestamp":(${NUMBER})\\}\\}$`,
)

/**
 * The entry of a line that holds a tool's result, but for its details, which no fact is made of; null when the line
 * must be parsed. Half of all lines are results, and looking at all of one this way takes a third of the time.
 */
export function parseResult(text: string): JsonObject | null {
  const match = RESULT.exec(text)
  if (match === null) return null
  const [, id, parentId, timestamp, toolCallId, toolName, standIn, plain, isError, at] = match
  return {
    type: 'message',
    id,
    parentId,
    timestamp,
    message: {
      role: 'toolResult',
      toolCallId,
      toolName,
      content: [{ type: 'text', text: standIn === undefined ? plain : `\u0001${standIn}` }],
      isError: isError === 'true',
      timestamp: Number(at),
    },
  }
}
