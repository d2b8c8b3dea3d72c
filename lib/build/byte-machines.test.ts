import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'vitest'
import { compiledFile, compileMachine, MACHINES } from './byte-machines.mjs'
import { root } from './project.mjs'

it.concurrent.for(MACHINES)(
  'the compiled module of %s is what its source makes',
  async (machine, { expect }) => {
    const kept = readFileSync(join(root, compiledFile(machine)), 'utf8').replaceAll('\r\n', '\n')
    expect(await compileMachine(machine)).toBe(kept)
  },
)
