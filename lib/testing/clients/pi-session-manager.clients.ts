import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import { factsOf } from '../builders/transcript'
import { CORPUS, transcriptFiles } from '../corpus'
import { installClient } from './install'

type SessionManagerClass = {
  open(file: string): { buildSessionContext(): { messages: { role: string }[] } }
}

const PI = { name: '@mariozechner/pi-coding-agent', version: '0.73.1' }

let SessionManager: SessionManagerClass
let folder: string

beforeAll(async () => {
  const installed = installClient(PI.name, PI.version)
  ;({ SessionManager } = await import(pathToFileURL(join(installed, 'dist/core/session-manager.js')).href))
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-clients-'))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Roles as pi's session manager gives them; it may rewrite old files, so it gets a copy. */
function rolesOfPi(text: string): string[] {
  const copy = join(folder, 'session.jsonl')
  writeFileSync(copy, text)
  return SessionManager.open(copy)
    .buildSessionContext()
    .messages.map((message) => message.role)
}

function rolesOfOurs(text: string): string[] {
  const branches = Branches.of(factsOf(text))
  return contextAt(branches, branches.leaf, 'pi').map((entry) => entry.fact.role ?? '')
}

const sources =
  CORPUS === null
    ? []
    : ['pi', 'openclaw-2026.7.1', 'openclaw-public'].map((name) => join(CORPUS ?? '', name))
const files = sources.flatMap(transcriptFiles)

describe.skipIf(files.length === 0)(
  `X5 the context is the one that pi ${PI.version} builds (needs the shared corpus)`,
  () => {
    it.each(files.map((file) => [basename(file), file]))(
      '%s, cut after every line and within every line',
      (_name, file) => {
        const lines = readFileSync(file, 'utf8').split('\n')
        if (lines.at(-1) === '') lines.pop()
        for (let cut = 1; cut <= lines.length; cut++) {
          const whole = `${lines.slice(0, cut).join('\n')}\n`
          expect(rolesOfOurs(whole), `after line ${cut}`).toEqual(rolesOfPi(whole))
          const line = lines[cut] ?? ''
          const torn = whole + line.slice(0, Math.floor(line.length * 0.6))
          expect(rolesOfOurs(torn), `within line ${cut + 1}`).toEqual(rolesOfPi(torn))
        }
      },
    )
  },
)
