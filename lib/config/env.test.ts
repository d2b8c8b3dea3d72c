import { describe, expect, it } from 'vitest'
import { readEnvironment } from './env'

const read = (variables: Record<string, string>) => {
  const result = readEnvironment({ HOME: '/home/a', ...variables }, '/srv')
  if (!result.ok) throw new Error(result.problems.join('\n'))
  return result.environment
}

describe('the environment', () => {
  it('has defaults for everything', () => {
    expect(read({})).toEqual({
      home: '/home/a/.local/state/plimsoll',
      configFolder: '/home/a/.config/plimsoll',
      configFile: null,
      startedIn: null,
      openToLocalUsers: false,
      stores: null,
      databaseUrl: 'file:/home/a/.local/state/plimsoll/plimsoll.db',
      host: '127.0.0.1',
      port: 4747,
      token: null,
      userHome: '/home/a',
      lockVariables: {},
    })
  })

  it('puts the database into the state folder that is named, and makes paths absolute', () => {
    expect(read({ PLIMSOLL_HOME: 'state' }).databaseUrl).toBe('file:/srv/state/plimsoll.db')
    expect(read({ PLIMSOLL_HOME: '~/s' }).home).toBe('/home/a/s')
    expect(read({ XDG_STATE_HOME: '/x' }).home).toBe('/x/plimsoll')
    expect(read({ XDG_STATE_HOME: 'relative' }).home).toBe('/home/a/.local/state/plimsoll')
    expect(read({ DATABASE_URL: 'file:x.db' }).databaseUrl).toBe('file:/srv/x.db')
    expect(read({ DATABASE_URL: 'file:///x.db' }).databaseUrl).toBe('file:/x.db')
    expect(read({ PLIMSOLL_STORES: '/a::~/b' }).stores).toEqual(['/a', '/home/a/b'])
  })

  it('takes an empty variable for none', () => {
    expect(read({ PLIMSOLL_STORES: '', PLIMSOLL_TOKEN: '', PLIMSOLL_PORT: '' })).toMatchObject({
      stores: null,
      token: null,
      port: 4747,
    })
  })

  it('names every bad variable, its value and what is allowed', () => {
    const result = readEnvironment(
      { PLIMSOLL_PORT: '70000', DATABASE_URL: 'mysql://x', PLIMSOLL_TOKEN: 'short' },
      '/',
    )
    expect(result).toEqual({
      ok: false,
      problems: [
        'Environment variable DATABASE_URL is "mysql://x": it must begin with "file:" (an SQLite file).',
        'Environment variable PLIMSOLL_TOKEN is not accepted: it must have at least 16 characters.',
        'Environment variable PLIMSOLL_PORT is "70000": it must be a whole number from 0 to 65535.',
      ],
    })
  })
})
