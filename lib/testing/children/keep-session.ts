// `FOLDER`: keeps a session there, says when its first turn is written, and goes on until it is killed.
import { openSessions } from '../../adapters/agent/open-sessions'

const [folder = ''] = process.argv.slice(2)
const sessions = openSessions(folder)
await sessions.open('agent:harbour:main')
await sessions.append('agent:harbour:main', [{ kind: 'message', json: '{"role":"user","content":"kept"}' }])
process.stdout.write('written\n')
setInterval(() => undefined, 60_000)
