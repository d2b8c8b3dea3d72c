import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Branches } from '../../core/transcript/branches'
import { contextAt } from '../../core/transcript/context'
import { factsOf } from '../builders/transcript'
import { openPi, PI, PI_FILES } from './pi'

type SessionManagerClass = {
  open(file: string): { buildSessionContext(): { messages: { role: string }[] } }
}

const pi = openPi<{ readonly SessionManager: SessionManagerClass }>('session-manager.js')

/** Roles as pi's session manager gives them. */
function rolesOfPi(text: string): string[] {
  return pi
    .module()
    .SessionManager.open(pi.copyOf(text))
    .buildSessionContext()
    .messages.map((message) => message.role)
}

function rolesOfOurs(text: string): string[] {
  const branches = Branches.of(factsOf(text))
  return contextAt(branches, branches.leaf, 'pi').map((entry) => entry.fact.role ?? '')
}

describe.skipIf(PI_FILES.length === 0)(
  `X5 the context is the one that pi ${PI.version} builds (needs the shared corpus)`,
  () => {
    it.each(PI_FILES.map((file) => [basename(file), file]))(
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
