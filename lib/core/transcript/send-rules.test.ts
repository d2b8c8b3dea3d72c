import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import {
  dropsReasoning,
  repeatsLines,
  replayStep,
  SEND_START,
  SENDERS,
  type Sender,
  type SendState,
  sendStep,
  writesInRecords,
} from './send-rules'

type Write = (t: TranscriptBuilder) => void

/** What becomes of each entry in turn: `sent`, or why not. */
function verdicts(write: Write, sender: Sender = 'openclaw', from: SendState = SEND_START) {
  const t = new TranscriptBuilder()
  write(t)
  let state = from
  const words = t
    .facts()
    .slice(1)
    .map((fact) => {
      const step = sendStep(state, fact, sender)
      state = step.state
      return step.verdict.sent ? 'sent' : step.verdict.why
    })
  return { words, state }
}

describe('D11 what is sent of a context, one entry after another', () => {
  it.each<[string, Write, readonly string[]]>([
    [
      'user, command, injected context and summaries are sent',
      (t) => {
        t.user('go')
        t.message({ role: 'bashExecution', command: 'ls', output: '' })
        t.entry('custom_message', { customType: 'memory', content: 'x' })
        t.message({ role: 'branchSummary', content: 'x' })
        t.message({ role: 'compactionSummary', content: 'x' })
      },
      Array(5).fill('sent'),
    ],
    [
      'an unknown role is not',
      (t) => {
        t.message({ role: 'developer', content: 'x' })
        t.message({ content: 'x' })
      },
      ['unknown-role', 'unknown-role'],
    ],
    [
      'nor is a command that was kept out, or an answer without content',
      (t) => {
        t.message({ role: 'bashExecution', command: 'ls', excludeFromContext: true })
        t.assistant('')
      },
      ['excluded', 'empty'],
    ],
    [
      'results are sent once each, in any order, and to the last calls only',
      (t) => {
        t.assistant('', { calls: ['a', 'b'] })
        t.result('b', 'x')
        t.result('a', 'x')
        t.result('b', 'x')
        t.assistant('', { calls: ['c'] })
        t.result('a', 'x')
        t.result('c', 'x')
      },
      ['sent', 'sent', 'sent', 'duplicate-result', 'sent', 'orphaned-result', 'sent'],
    ],
    [
      'the results of a turn that failed stay behind with it, and so do those of calls before it',
      (t) => {
        t.assistant('', { calls: ['a'] })
        t.assistant('', { calls: ['b'], stop: 'error' })
        t.result('b', 'x')
        t.result('a', 'x')
        t.assistant('', { calls: ['c'], stop: 'aborted' })
        t.result('c', 'x')
      },
      ['sent', 'failed-turn', 'orphaned-result', 'orphaned-result', 'failed-turn', 'orphaned-result'],
    ],
    [
      'a message between does not part a result from its call',
      (t) => {
        t.assistant('', { calls: ['a'] })
        t.user('well?')
        t.result('a', 'x')
      },
      ['sent', 'sent', 'sent'],
    ],
    [
      'an answer right behind an answer goes into it; anything that is sent between parts them',
      (t) => {
        t.assistant('one')
        t.assistant('two')
        t.assistant('', { calls: ['a'] })
        t.result('a', 'x')
        t.assistant('three')
        t.user('on')
        t.assistant('four')
      },
      ['sent', 'merged', 'merged', 'sent', 'sent', 'sent', 'sent'],
    ],
    [
      'what is not sent parts no two answers',
      (t) => {
        t.assistant('one')
        t.message({ role: 'bashExecution', command: 'ls', excludeFromContext: true })
        t.assistant('NO_REPLY')
        t.assistant('', { fields: { provider: 'openclaw', model: 'delivery-mirror' } })
        t.assistant('two')
      },
      ['sent', 'excluded', 'silent-reply', 'transcript-only', 'merged'],
    ],
    [
      'a call without a result takes no answer in behind it',
      (t) => {
        t.assistant('one', { calls: ['a'] })
        t.assistant('two')
      },
      ['sent', 'sent'],
    ],
  ])('%s', (_name, write, expected) => {
    expect(verdicts(write).words).toEqual(expected)
  })

  it('a result that names no call has none, and nothing waits behind a turn that failed', () => {
    const nameless: Write = (t) => t.message({ role: 'toolResult', content: 'x' })
    expect(verdicts(nameless).words).toEqual(['orphaned-result'])
    const failed: Write = (t) => t.assistant('', { calls: ['a'], stop: 'error' })
    expect(verdicts(failed).state).toEqual(SEND_START)
  })

  it('pi sends silent replies, and joins nothing', () => {
    const write: Write = (t) => {
      t.assistant('one')
      t.assistant('NO_REPLY')
      t.assistant('two')
    }
    expect(verdicts(write, 'pi').words).toEqual(['sent', 'sent', 'sent'])
    expect(verdicts(write, 'openclaw').words).toEqual(['sent', 'silent-reply', 'merged'])
  })

  it('remembers the calls that wait for a result, and those that have one', () => {
    const { state } = verdicts((t) => {
      t.assistant('', { calls: ['a', 'b', 'c'] })
      t.result('b', 'x')
    })
    expect(state).toEqual({ open: ['a', 'c'], answered: ['b'], afterAssistant: false })
  })
})

describe('B4 what is sent behind a checkpoint of the provider', () => {
  const owner = (write: Write) => {
    const t = new TranscriptBuilder()
    write(t)
    return t.facts()[1] as ReturnType<TranscriptBuilder['facts']>[number]
  }
  const results: Write = (t) => {
    t.result('old', 'x')
    t.result('old', 'x')
    t.user('on')
    t.result('other', 'x')
  }

  it('results of calls that it covers are sent where it holds them, each but once while its calls wait', () => {
    const { state } = replayStep(
      owner((t) => t.assistant('done')),
      true,
    )
    expect(verdicts(results, 'openclaw', state).words).toEqual(Array(4).fill('sent'))
    const without = replayStep(
      owner((t) => t.assistant('done')),
      false,
    )
    expect(verdicts(results, 'openclaw', without.state).words).toEqual([
      ...['orphaned-result', 'orphaned-result', 'sent', 'orphaned-result'],
    ])
  })

  it('its own calls wait for their results, and an answer behind its words goes into them', () => {
    const called = replayStep(
      owner((t) => t.assistant('run', { calls: ['a'] })),
      false,
    )
    expect(called).toEqual({
      verdict: { sent: true },
      state: { open: ['a'], answered: [], afterAssistant: false },
    })
    const said = replayStep(
      { ...owner((t) => t.assistant('done')), units: { assistant: 1, summary: 9 } },
      false,
    )
    expect(said.state.afterAssistant).toBe(true)
    const bare = replayStep({ ...owner((t) => t.assistant('done')), units: { summary: 9 } }, false)
    expect(bare.state).toEqual(SEND_START)
  })

  it('the results of a turn that failed are not taken for those of the checkpoint', () => {
    const { state } = replayStep(
      owner((t) => t.assistant('done')),
      true,
    )
    const write: Write = (t) => {
      t.assistant('', { calls: ['a'], stop: 'error' })
      t.result('a', 'x')
      t.result('old', 'x')
    }
    expect(verdicts(write, 'openclaw', state).words).toEqual(['failed-turn', 'duplicate-result', 'sent'])
  })
})

describe('D11 a response in several records', () => {
  /** Two records of one response, with these calls. */
  const records = (one: readonly string[], other: readonly string[], sender: Sender) => {
    const t = new TranscriptBuilder()
    t.assistant('', { calls: [...one] })
    t.assistant('', { calls: [...other] })
    const [, first, second] = t.facts()
    if (first === undefined || second === undefined) throw new Error('two records')
    const { state } = sendStep(SEND_START, first, sender)
    return sendStep(state, { ...second, again: true, blank: undefined }, sender)
  }

  it('waits for the results of all of them, each once', () => {
    expect(records(['a', 'b'], ['b', 'c'], 'claude-code')).toEqual({
      verdict: { sent: true },
      state: { open: ['a', 'b', 'c'], answered: [], afterAssistant: false },
    })
    expect(records(['a'], ['b'], 'pi').state.open).toEqual(['b'])
    const { afterAssistant } = records([], [], 'claude-code').state
    expect(afterAssistant).toBe(true)
  })

  it('waits for no more than 256', () => {
    const ids = (name: string) => Array.from({ length: 200 }, (_, i) => `${name}${i}`)
    const { open } = records(ids('a'), ids('b'), 'claude-code').state
    expect([open.length, open[0], open.at(-1)]).toEqual([256, 'a144', 'b199'])
  })
})

it('only Claude Code writes lines of a session once more, and only Codex gives reasoning back as long as a turn lasts', () => {
  expect(SENDERS.filter(repeatsLines)).toEqual(['claude-code'])
  expect(SENDERS.filter(dropsReasoning)).toEqual(['codex'])
})

it('a response is several records in the transcripts of Claude Code, Codex and OpenCode, one in the others', () => {
  expect(SENDERS.filter(writesInRecords)).toEqual(['claude-code', 'codex', 'opencode'])
})
