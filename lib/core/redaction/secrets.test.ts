import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { credentialRanges, maskedSlice, maskSecrets } from './secrets'

/** Made up of pieces, so that no tool takes this file for a leak. */
const glue = (...parts: string[]) => parts.join('')
const WORD = 'Zx81Qw72Er63Ty54Ui45Op36'

const CREDENTIALS: readonly (readonly [string, string])[] = [
  ['OpenAI', glue('sk-', 'proj-', WORD)],
  ['Anthropic', glue('sk-ant-', 'api03-', WORD, '-', WORD)],
  ['Stripe', glue('sk_', 'live_', WORD)],
  ['GitHub', glue('gh', 'p_', WORD, 'abcdefgh')],
  ['GitHub, fine-grained', glue('github', '_pat_', WORD)],
  ['GitLab', glue('glpat', '-', WORD)],
  ['Slack', glue('xoxb', '-123456789012-', WORD)],
  ['Amazon', glue('AKIA', 'ABCDEFGHIJKLMNOP')],
  ['Google', glue('AIza', WORD, WORD)],
  ['Telegram', glue('123456789', ':AA', WORD, WORD)],
  ['a JSON web token', glue('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxIn0x', '.', WORD)],
]

describe('X20 maskSecrets', () => {
  it.each(CREDENTIALS)('covers a credential of %s wherever it is', (_whose, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['use ', ' please'],
      ['{"env":"', '","b":1}'],
      ['export X=', '\nnext'],
      ['{\\"a\\":\\"', '\\"}'],
      ['(', ').'],
    ] as const) {
      const text = before + secret + after
      const masked = maskSecrets(text)
      expect(masked).not.toContain(secret.slice(-12))
      expect(masked).toHaveLength(text.length)
      expect(masked.startsWith(before)).toBe(true)
      expect(masked.endsWith(after)).toBe(true)
    }
  })

  it.each([
    [`password = "hunter22"`, 'hunter22'],
    [`"password": "correcthorse"`, 'correcthorse'],
    [`{\\"api_key\\": \\"${WORD}\\"}`, WORD],
    [`DB_PASSWORD=s3cretw0rd`, 's3cretw0rd'],
    [`apiKey: '${WORD}'`, WORD],
    [`AWS_SECRET_ACCESS_KEY=${WORD}/abc+d`, `${WORD}/abc+d`],
    [`Authorization: Bearer ${WORD}`, WORD],
    [`"Authorization": "Basic ${WORD}="`, `${WORD}=`],
    [`postgres://app:pa55word@db.example.org/x`, 'pa55word'],
    [`redis://:pa55word@localhost:6379`, 'pa55word'],
  ])('covers the value in %s', (text, secret) => {
    const masked = maskSecrets(text)
    expect(masked).toBe(text.replace(secret, '•'.repeat(secret.length)))
  })

  it('covers private keys, also as JSON writes them', () => {
    const lines = ['MIIEvQIBADANBgkq', 'hkiG9w0BAQEFAASC']
    for (const newline of ['\n', '\\n', '\r\n']) {
      const key = ['-----BEGIN RSA PRIVATE KEY-----', ...lines, '-----END RSA PRIVATE KEY-----'].join(newline)
      const masked = maskSecrets(`before ${key} after`)
      expect(masked).toMatch(/^before [•\n]+ after$/)
    }
  })

  it.each([
    'password: string',
    'const token = await getToken()',
    'apiKey: process.env.API_KEY_2',
    glue('api_key: $', '{OPENAI_API_KEY2}'),
    '"password": "<your password>"',
    'totalTokens: 123456789012',
    '"token": "string"',
    'the secret: nobody knows it',
    'max_token=4096',
    'https://example.org:8080/a@b',
    'scikit: sk-learn-pipeline-with-a-long-name',
    'risk-assessment-2026-november-final-report',
    'task-1234567890-abcdefghijkl',
    'secret = config.secrets.primary2',
    'commit 8f14e45fceea167a5a36dedd4bea2543aa11bb22',
    'tokens: { input: 1200, output: 30 }',
    'bearer of bad news',
  ])('leaves %j alone', (text) => {
    expect(maskSecrets(text)).toBe(text)
  })

  it.each([
    ['a name after a name', `set_cookie: Set-Cookie: sid=${WORD}`, WORD],
    ['a header after its name', `x_api_key: X-API-Key: ${WORD}`, WORD],
    ['a setting after a word', `token: //npm.example.org/:_authToken=${WORD}`, WORD],
    ['a parameter of an address', `url_access_token: https://h.example/p?access_token=${WORD}`, WORD],
  ])('covers the value behind one that is none: %s', (_what, text, secret) => {
    expect(maskSecrets(text)).toBe(text.replace(secret, '•'.repeat(secret.length)))
  })

  it('sees through the escapes of JSON, of JSON in JSON and of addresses', () => {
    const token = glue('gh', 'p_', WORD, 'abcdefgh')
    for (const text of [`line\n${token}`, `a\\n${token}\\"`, `q=%22${token}%22`, `\u0022${token}\u0022`]) {
      expect(maskSecrets(text)).toBe(text.replace(token, '•'.repeat(token.length)))
    }
    const coloured = `X=\u001b[01;31mgh\u001b[m\u001b[Kp_${WORD}abcdefgh\u001b[0m`
    expect(maskSecrets(coloured)).not.toContain(WORD.slice(-8))
    expect(maskSecrets(coloured)).toMatch(/^X=\S+•+\S{4}$/)
    const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkq', '-----END PRIVATE KEY-----'].join('\n')
    const nested = JSON.stringify({ body: JSON.stringify({ key }) })
    expect(maskSecrets(nested)).toMatch(/^\{"body":"\{\\"key\\":\\"•+\\"\}"\}$/)
  })

  it('covers what a preview has cut', () => {
    expect(maskSecrets(`key ${glue('sk-', 'ant-', 'ab12')}…`)).toMatch(/^key •+…$/)
    expect(maskSecrets(`key ${glue('gh', 'p_', 'Ab12c')}…`)).toMatch(/^key •+…$/)
  })

  it('covers in pieces what it covers in the whole', () => {
    const filler = 'The barrel stands in the hold. '
    const text = filler.repeat(40) + glue('sk-', 'ant-', WORD) + filler.repeat(40)
    const whole = maskSecrets(text)
    expect(credentialRanges(text)).toHaveLength(1)
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(400), (start, length) => {
        expect(maskedSlice(text, start, start + length)).toBe(whole.slice(start, start + length))
      }),
    )
  })

  it('keeps the length and the lines of any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom(...CREDENTIALS.map(([, s]) => s), 'password="', '://a:', '\n'),
          ),
          { maxLength: 20 },
        ),
        (parts) => {
          const text = parts.join('')
          const masked = maskSecrets(text)
          expect(masked).toHaveLength(text.length)
          expect(masked.split('\n').length).toBe(text.split('\n').length)
        },
      ),
    )
  })

  it.each([
    'sk-',
    'sk-a',
    'eyJaaaaaaaaaaaa',
    'eyJaaaaaaaaaaaa.',
    'eyJaaaaaaaaaaaa-',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    'password=',
    'password="',
    'secret: ',
    'token\\"',
    '://a:b',
    '://',
    'bearer ',
    'Bearer aaaaaaaaaaaaaaaaaaaa ',
    'xoxb-',
    'MNOMNOMNOMNOMNOMNOMNOMNOMN.',
    'a',
    ' ',
    '\\n',
    '1:AA',
    '…',
    'password ',
    'password=',
    'password is ',
    'token: token: ',
    'token=a&',
    '"password": "a\\"',
    'password="\\\\',
    '--password ',
    'curl -u ',
    'mysql -p',
    '<password>',
    'machine a login b ',
    'Authorization: ',
    'cookie: a=',
    'cookie: a=b; ',
    'AKIAABCDEFGHIJKLMNOP ',
    ':1234:a:b:',
    'Proc-Type: a\n',
    '\\',
    '\\u005c',
    '%25',
    '$2b$',
  ])('takes linear time on a quarter of a megabyte of %j', (unit) => {
    const cpuOf = (length: number) => {
      const text = unit.repeat(length / unit.length)
      const from = process.cpuUsage()
      maskSecrets(text)
      return process.cpuUsage(from).user
    }
    // Twenty times as long: twenty times the time where it is linear, four hundred times where it is not.
    const short = Math.max(cpuOf(12_500), cpuOf(12_500), 5_000)
    expect(cpuOf(250_000) / short).toBeLessThan(100)
  })
})
