import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../testing/builders/transcript'
import { Branches } from './branches'
import { callEntries, contextOfCall } from './context'

const FIXTURES = new URL('../../testing/fixtures/requests/', import.meta.url)
const recorded: { [version: string]: string[] } = JSON.parse(read('roles.json'))

function read(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8')
}

function letter(role: string | undefined): string {
  if (role === 'assistant') return 'a'
  return role === 'toolResult' ? 't' : 'u'
}

describe('X5 what we say that the model saw is what the client sent', () => {
  it.each(Object.keys(recorded))(
    'OpenClaw %s: every recorded request is a call of the transcript, in order',
    (version) => {
      const branches = Branches.of(factsOf(read(`openclaw-${version}.jsonl`)))
      const contexts = callEntries(branches.facts).map((seq) =>
        contextOfCall(branches, seq, 'openclaw')
          .filter((entry) => entry.sent)
          .map((entry) => letter(entry.fact.role))
          .join(''),
      )
      let call = 0
      for (const request of recorded[version] ?? []) {
        call = contexts.indexOf(request, call) + 1
        expect(call, `no call equals the request ${request}`).toBeGreaterThan(0)
      }
    },
  )
})
