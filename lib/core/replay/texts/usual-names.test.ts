import { expect, test } from 'vitest'
import { isUsualName } from './usual-names'

test('programs, fields and settings that every project may have are usual, in the letters of any language', () => {
  for (const name of [
    'TypeScript',
    'sessionId',
    'SessionID',
    'created_at',
    'API_KEY',
    'OPENAI_MODEL',
    'msg.Type',
  ])
    expect(isUsualName(name), name).toBe(true)
})

test("a project's own names are not", () => {
  for (const name of ['craneSessionId', 'liftedAt', 'HARBOUR_MODEL', 'crane.Type', 'TypeScripts'])
    expect(isUsualName(name), name).toBe(false)
})
