import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { checkBytes } from '../../testing/repair/invariants'

/** What the families would say, as `family: because (line, count)`, those that runtimes heal marked `~`. */
async function refusals(session: TranscriptBuilder): Promise<readonly string[]> {
  const { refusals } = await checkBytes(Buffer.from(session.text()))
  return refusals.before.map(
    ({ family, because, line, count, healed }) =>
      `${family}${healed ? '~' : ''}: ${because} (${line}, ${count})`,
  )
}

const ALL = ['anthropic', 'openai', 'google', 'mistral']
const ofAll = (because: string) => ALL.map((family) => `${family}: ${because}`)

/** Nine letters and digits, which everybody takes. */
const ID = 'abcdefgh1'

describe('X12 this transcript would be refused by … because …', () => {
  it('nothing, where calls and results are in pairs and everybody takes the ids', async () => {
    const session = new TranscriptBuilder()
    session.user('list the berths')
    session.assistant('', { calls: [ID] })
    session.result(ID, 'one')
    session.assistant('one berth')
    session.user('thanks')
    expect(await refusals(session)).toEqual([])
  })

  it.each([
    ['toolu_01-x', ['google', 'mistral']],
    ['call.1|fc_2', ['anthropic', 'google', 'mistral']],
    ['abcdefghi', []],
    ['abcdefghij', ['mistral']],
    ['a'.repeat(40), ['mistral']],
    ['a'.repeat(64), ['mistral']],
    ['a'.repeat(65), ['anthropic', 'google', 'mistral']],
  ])('ids: %s', async (id, families) => {
    const session = new TranscriptBuilder()
    session.user('list the berths')
    session.assistant('', { calls: [id] })
    session.result(id, 'one')
    const shown = id.length > 40 ? `${id.slice(0, 39)}…` : id
    expect(await refusals(session)).toEqual(
      families.map((family) => `${family}~: the call id ${shown} has not the form it demands (3, 1)`),
    )
  })

  it('ids: only those of another form count', async () => {
    const session = new TranscriptBuilder()
    session.user('list the berths')
    session.assistant('', { calls: [ID, 'a-b', 'c-d'] })
    for (const call of [ID, 'a-b', 'c-d']) session.result(call, 'one')
    const because = 'the call id a-b has not the form it demands (3, 2)'
    expect(await refusals(session)).toEqual([`google~: ${because}`, `mistral~: ${because}`])
  })

  it('turns: two of the user in a row', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.user('two')
    session.assistant('both')
    session.user('three')
    session.user('four')
    const because = 'two user messages are in a row (3, 2)'
    expect(await refusals(session)).toEqual([`google~: ${because}`, `mistral~: ${because}`])
  })

  it('turns: an answer first', async () => {
    const session = new TranscriptBuilder()
    session.assistant('hello')
    session.user('hello')
    const because = 'the history does not begin with a user message (2, 1)'
    expect(await refusals(session)).toEqual([`anthropic~: ${because}`, `google~: ${because}`])
  })

  it('pairs: a call without a result, a result without a call, a second one, one that is elsewhere', async () => {
    const missing = new TranscriptBuilder()
    missing.user('go')
    missing.assistant('', { calls: [ID] })
    missing.user('well?')
    expect(await refusals(missing)).toEqual(ofAll(`the tool call ${ID} has no result (3, 1)`))

    const orphan = new TranscriptBuilder()
    orphan.user('go')
    orphan.result(ID, 'one')
    expect(await refusals(orphan)).toEqual(
      ofAll(`a tool result answers the call ${ID}, which does not exist (3, 1)`),
    )

    const twice = new TranscriptBuilder()
    twice.user('go')
    twice.assistant('', { calls: [ID] })
    twice.result(ID, 'one')
    twice.result(ID, 'one again')
    expect(await refusals(twice)).toEqual(
      ofAll(`a tool result answers the call ${ID}, which has been answered before (5, 1)`),
    )

    const away = new TranscriptBuilder()
    away.user('go')
    away.assistant('', { calls: [ID] })
    away.user('well?')
    away.result(ID, 'one')
    expect(await refusals(away)).toEqual(ofAll('a tool result is away from its call (5, 1)'))
  })

  it('what is before a message that a repair would drop is sent with it', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.user('two')
    session.message({ role: null, content: 'three' })
    session.assistant('all of them')
    const because = 'two user messages are in a row (3, 1)'
    expect(await refusals(session)).toEqual([`google~: ${because}`, `mistral~: ${because}`])
  })

  it('failed turns and their results are not sent, and no provider refuses them', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('', { calls: [ID], stop: 'aborted' })
    session.user('again')
    session.assistant('', { calls: ['abcdefgh2', 'abcdefgh3'], stop: 'error' })
    session.result('abcdefgh2', 'one')
    session.result('abcdefgh2', 'one again')
    session.assistant('done')
    const soft = (await refusals(session)).filter((text) => !text.includes('~'))
    expect(soft).toEqual([])
  })

  it('rows for the reader and commands that are left out are not sent; what answers such a row answers nothing', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('', { calls: [ID], model: 'delivery-mirror', fields: { provider: 'openclaw' } })
    session.message({ role: 'bashExecution', command: 'ls', excludeFromContext: true })
    session.result(ID, 'one')
    session.assistant('done')
    session.user('thanks')
    expect(await refusals(session)).toEqual(
      ofAll(`a tool result answers the call ${ID}, which does not exist (5, 1)`),
    )
  })

  it.each([
    ['a user message has no text', { role: 'user', content: [{ type: 'text', text: ' ' }] }],
    ['a message has no content', { role: 'user' }],
    [
      'an image cannot be decoded',
      { role: 'user', content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }] },
    ],
    [
      'a tool call lacks its id, its name or its input',
      { role: 'assistant', content: [{ type: 'toolCall', id: ID, name: '' }], stopReason: 'toolUse' },
    ],
  ])('contents: %s', async (because, message) => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('yes')
    session.message(message)
    const found = (await refusals(session)).filter((text) => text.includes(because))
    expect(found.map((text) => text.split(':')[0])).toEqual(ALL)
  })

  it.each([
    ['anthropic', undefined, 'anthropic'],
    ['openai', undefined, 'openai'],
    ['google', undefined, 'google'],
    ['mistral', undefined, 'mistral'],
  ])('says which of them answered last: %s', async (provider, api, family) => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('early', { fields: { provider: 'google' } })
    session.assistant('', { calls: [ID], fields: { provider, ...(api === undefined ? {} : { api }) } })
    session.assistant('of nobody', { fields: { provider: undefined } })
    const { refusals: found } = await checkBytes(Buffer.from(session.text()))
    expect(found.before.filter(({ own, healed }) => own && !healed).map((one) => one.family)).toEqual([
      family,
    ])
  })

  it('no provider is the own one where no provider has answered', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.user('two')
    const { refusals: found } = await checkBytes(Buffer.from(session.text()))
    expect(found.before.length).toBeGreaterThan(0)
    expect(found.before.every(({ own }) => !own)).toBe(true)
  })

  it('pairs: the first line that is to blame, and how often there is cause', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('', { calls: [ID, 'abcdefgh2'] })
    session.assistant('', { calls: ['abcdefgh3'] })
    session.result('abcdefgh3', 'x')
    session.assistant('done')
    expect(await refusals(session)).toEqual(ofAll(`the tool call ${ID} has no result (3, 2)`))
  })

  it('pairs: what was answered in an earlier turn is no second answer in a later one', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('', { calls: [ID] })
    session.result(ID, 'one')
    session.user('and?')
    session.assistant('', { calls: ['abcdefgh2'] })
    session.result('abcdefgh2', 'two')
    session.result(ID, 'again')
    const hard = (await refusals(session)).filter((text) => !text.includes('~'))
    expect(hard).toEqual(ofAll(`a tool result answers the call ${ID}, which does not exist (8, 1)`))
  })

  it('pairs: a result right behind its call is in place again after one that was not', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.assistant('', { calls: [ID] })
    session.user('well?')
    session.result(ID, 'one')
    session.assistant('', { calls: ['abcdefgh2'] })
    session.result('abcdefgh2', 'two')
    const hard = (await refusals(session)).filter((text) => !text.includes('~'))
    expect(hard).toEqual(ofAll('a tool result is away from its call (5, 1)'))
  })

  it('pairs: a result that names no call', async () => {
    const session = new TranscriptBuilder()
    session.user('go')
    session.message({ role: 'toolResult', content: [] })
    expect(await refusals(session)).toEqual(
      ofAll('a tool result answers the call (none), which does not exist (3, 1)'),
    )
  })

  it('turns: an answer or a result between two messages of the user parts them', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.assistant('', { calls: [ID] })
    session.result(ID, 'x')
    session.user('two')
    session.entry('custom_message', { content: 'three' })
    const because = 'two user messages are in a row (6, 1)'
    expect(await refusals(session)).toEqual([`google~: ${because}`, `mistral~: ${because}`])
  })
})

describe('X12 after a repair', () => {
  it('no provider refuses what is put right in the contents, and the check says so beforehand', async () => {
    const session = new TranscriptBuilder()
    session.user('one')
    session.assistant('answer')
    session.user(' ')
    const { refusals: said } = await checkBytes(Buffer.from(session.text()))
    expect(said.before.map(({ family, because }) => `${family}: ${because}`)).toEqual(
      ofAll('a user message has no text'),
    )
    expect(said.after).toEqual([])
  })
})
