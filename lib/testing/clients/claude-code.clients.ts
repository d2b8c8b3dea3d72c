import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { readSavedOutput } from '../../adapters/sources/claude-code/saved-output'
import { savedOutputName } from '../../core/sources/claude-code/saved-output'
import { ClaudeCodeHome } from './claude-code-home'
import { type FakeMessages, type MessagesRequest, sentText, startFakeMessages } from './fake-messages'

let model: FakeMessages
let home: ClaudeCodeHome

beforeAll(async () => {
  model = await startFakeMessages(20_000)
  home = new ClaudeCodeHome(model)
})

afterAll(async () => {
  await model.close()
  home.remove()
})

const blocksOf = ({ messages }: MessagesRequest, kind: string) =>
  messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter(({ type }) => type === kind),
  )

describe('a transcript that a crash damaged', () => {
  it('is resumed by the real Claude Code with all that a repair could save, and undone to the byte', async () => {
    await home.turn('First about the barrel.')
    await home.turn('RUN: echo barrel-seven', '--continue')
    const { last: whole } = await home.turn('Third about the mast.', '--continue')
    expect(blocksOf(whole, 'tool_result')).toHaveLength(1)

    // A line in the middle and the last one are torn: what follows the first has no parent.
    const file = home.transcript
    const lines = readFileSync(file, 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"tool_use"') && line.includes('"type":"assistant"'))
    lines[at] = (lines[at] ?? '').slice(0, 80)
    writeFileSync(file, `${lines.join('\n')}{"parentUuid":"x","isSidech`)
    const damaged = readFileSync(file)
    home.rest()

    expect((await home.plimsoll('repair', file, '--check')).code).toBe(1)
    const repaired = await home.plimsoll('repair', file, '--apply')
    expect(repaired).toMatchObject({ code: 0, value: { verified: true } })
    const after = readFileSync(file)
    const { last: saved } = await home.turn('Fourth, after the repair.', '--continue')
    const said = saved.messages.map(sentText).join('\n')
    for (const text of ['First about', 'Answer 1.', 'RUN: echo', 'Third about', 'Answer 4.', 'Fourth, after'])
      expect(said).toContain(text)
    // The result of the call that was torn went with it: no provider takes one without its call.
    expect(blocksOf(saved, 'tool_result')).toEqual([])
    expect(blocksOf(saved, 'tool_use')).toEqual([])

    writeFileSync(file, after)
    home.rest()
    expect((await home.plimsoll('undo', repaired.value.receipt)).code).toBe(0)
    expect(readFileSync(file).equals(damaged)).toBe(true)
  })
})

test('an output that the real client did not send is read whole from beside its transcript', async () => {
  await home.turn('RUN: seq 1 20000', '--continue')
  const noted = readFileSync(home.transcript, 'utf8')
    .split('\n')
    .find((line) => line.includes('<persisted-output>'))
  const name = savedOutputName(JSON.parse(noted ?? '{}').message.content[0].content)
  const whole = readSavedOutput({ root: realpathSync(home.projects) }, { path: home.transcript }, name ?? '')
  expect(whole.trimEnd().split('\n')).toEqual(Array.from({ length: 20_000 }, (_, i) => String(i + 1)))
})
