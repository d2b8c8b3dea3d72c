import type { SecretForm } from './provider-forms'
import { random as r } from './random-text'

/** A text with one `#`, the place of what must be covered. */
function form(name: string, text: string, secret: () => string = () => r.password()): SecretForm {
  return {
    name,
    draw: () => {
      const drawn = secret()
      return { text: text.replace('#', () => drawn), secret: drawn }
    },
  }
}

/** A private key between its lines, the way `openssl` writes it. */
function privateKey(kind: string, head = ''): () => string {
  return () => {
    const body = Array.from({ length: 6 }, () => r.base64(64)).join('\n')
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} ${kind}-----`)
    return `${begin}\n${head}${body}\n${r.base64(22)}==\n${end}`
  }
}

/** Credentials that are known by what is beside them. */
export const NAMED_FORMS: readonly SecretForm[] = [
  form('private key, RSA', '#', privateKey('RSA PRIVATE KEY')),
  form('private key, OpenSSH', '#', privateKey('OPENSSH PRIVATE KEY')),
  form('private key, PGP', '#', privateKey('PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2\n\n')),
  form(
    'private key, encrypted',
    '#',
    privateKey(
      'RSA PRIVATE KEY',
      `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${r.hex(32).toUpperCase()}\n\n`,
    ),
  ),
  form('kubeconfig', '    client-key-data: #', () => `LS0tLS1CRUdJTiBSU0Eg${r.base62(200)}==`),
  form('bearer', 'Authorization: Bearer #', () => r.url(40)),
  form('basic', 'Authorization: Basic #', () => `${r.base62(30)}==`),
  form('header with a scheme', 'Authorization: token #', () => r.hex(40)),
  form('header without a scheme', 'Authorization: #', () => r.base62(40)),
  form('header of a proxy', 'Proxy-Authorization: Basic #', () => `${r.base62(26)}==`),
  form('header of a key', 'X-API-Key: #', () => r.base62(32)),
  form('cookie', 'Cookie: theme=dark; session=#; lang=en', () => r.hex(32)),
  form('cookie that is set', 'Set-Cookie: sid=#; Path=/; HttpOnly', () => r.hex(32)),
  form('address, database', 'postgres://app:#@db.example.org:5432/x'),
  form('address, no user', 'redis://:#@localhost:6379'),
  form('address, cluster', 'mongodb+srv://app:#@cluster0.example.net/x'),
  form('address, https', 'git clone https://deploy:#@git.example.org/x.git'),
  form('address, token for a user', 'https://#@git.example.org/x.git', () => r.base62(32)),
  form('parameter, access token', 'https://h.example/p?x=1&access_token=#', () => r.base62(32)),
  form('parameter, key', 'GET /v1/x?api_key=#&y=2', () => r.hex(32)),
  form(
    'Azure, signature',
    'https://a.blob.core.example/c?sv=2022-11-02&sp=r&sig=#&se=1',
    () => `${r.base62(40)}%2B%3D`,
  ),
  form(
    'Azure, account key',
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=#;EndpointSuffix=x',
    () => `${r.base64(86)}==`,
  ),
  form(
    'Azure, shared access key',
    'Endpoint=sb://a.example/;SharedAccessKeyName=Root;SharedAccessKey=#',
    () => `${r.base64(43)}=`,
  ),
  form('curl', 'curl -s -u admin:# https://h.example/x'),
  form('curl, long', "curl --user 'admin:#' https://h.example/x"),
  form('sshpass', 'sshpass -p # ssh root@10.0.0.5'),
  form('sshpass, quoted', "sshpass -p'#' ssh root@10.0.0.5"),
  form('flag, password', 'deploy --user ada --password # --yes'),
  form('flag, password and =', 'deploy --password=# --yes'),
  form('flag, token', 'deploy --token # --yes', () => r.hex(32)),
  form('mysql', 'mysql -u root -p# shop'),
  form('mysqldump, quoted', "mysqldump -uroot -p'#' shop"),
  form('redis-cli', 'redis-cli -h 10.0.0.5 -a # ping'),
  form('docker login', 'docker login -u ada -p # registry.example.org'),
  form('PGPASSWORD', 'PGPASSWORD=# psql -h db -U app'),
  form('mail password', 'SMTP_PASS=#'),
  form('database password', 'DB_PASSWORD=#'),
  form('database password for a stage', 'DB_PASSWORD_PROD=#'),
  form('exported secret', 'export SESSION_SECRET="#"', () => r.base62(40)),
  form('secret key of a framework', "SECRET_KEY = '#'", () => r.base62(50)),
  form('credentials file', '[default]\naws_secret_access_key = #', () => r.base64(40)),
  form('JSON, pass', '{"host":"h","user":"u","pass":"#"}'),
  form('JSON, password', '{"password": "#"}'),
  form('JSON, with a space', '{"password": "#"}', () => `${r.password(6)} ${r.password(6)}`),
  form('JSON, with an apostrophe', '{"password": "#"}', () => `${r.password(6)}'${r.password(6)}`),
  form('JSON, with a quote', '{"password": "#"}', () => `${r.password(6)}\\"${r.password(6)}`),
  form('JSON, client secret', '{"clientSecret": "#"}', () => r.base62(32)),
  form('JSON, key', '{"apiKey": "#"}', () => r.hex(32)),
  form('JSON, docker', '{"auths":{"https://index.example":{"auth":"#"}}}', () => `${r.base62(32)}==`),
  form('JSON in JSON', '{"body":"{\\"api_key\\":\\"#\\"}"}', () => r.hex(32)),
  form('YAML', 'db:\n  user: app\n  password: #'),
  form('YAML, quoted', "password: '#'"),
  form('.npmrc, _auth', '//npm.example.org/:_auth=#', () => `${r.base62(30)}==`),
  form('.npmrc, _authToken', '//npm.example.org/:_authToken=#', () => r.uuid()),
  form('.netrc', 'machine git.example.org login ada password #'),
  form('.pgpass', 'db.example.org:5432:shop:app:#'),
  form('XML element', '<server><username>ada</username><password>#</password></server>'),
  form('XML attribute', '<add key="ClearTextPassword" value="#" />'),
  form('letters only, =', 'password=#', () => r.lower(12)),
  form('letters only, YAML', 'user: app\npassword: #', () => r.lower(12)),
  form('begins like an example: my', 'password = "#"', () => `mySecret${r.password(6)}`),
  form('begins like an example: test', 'DB_PASSWORD=#', () => `test${r.password(8)}`),
  form('begins like an example: some', '{"password": "#"}', () => `some${r.password(8)}`),
  form('begins like an example: env', 'password: "#"', () => `env${r.password(8)}`),
  form('after its name as a value: cookie', 'set_cookie: Set-Cookie: sid=#', () => r.hex(32)),
  form('after its name as a value: header', 'x_api_key: X-API-Key: #', () => r.base62(32)),
  form('after its name as a value: address', 'url_access_token: https://h.example/p?access_token=#', () =>
    r.hex(32),
  ),
  form('said in a sentence', 'the password for the router is #, do not lose it'),
]
