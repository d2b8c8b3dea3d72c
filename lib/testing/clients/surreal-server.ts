import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installClient } from './install'

/** SurrealDB's own engine for Node, and with it the driver that it comes with. */
const [ENGINE, VERSION] = ['@surrealdb/node', '3.0.3'] as const

export type SurrealProcess = { readonly url: string; readonly port: number; stop(): Promise<void> }

/**
 * SurrealDB's embedded engine in a separate process, behind the JSON-RPC of its server: data in memory, one database
 * for each name. @param port 0: any
 */
export async function startSurreal(folder: string, port = 0): Promise<SurrealProcess> {
  const engine = installClient(ENGINE, VERSION)
  const driver = join(engine, '..', '..', 'surrealdb')
  const program = join(folder, 'surreal.mjs')
  writeFileSync(program, PROGRAM)
  const entries = [`${driver}/dist/surrealdb.mjs`, `${engine}/dist/surrealdb-node.mjs`]
  const child = spawn(
    process.execPath,
    [program, String(port), ...entries.map((path) => pathToFileURL(path).href)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const bound = await firstLine(child)
  return {
    url: `http://127.0.0.1:${bound}`,
    port: Number(bound),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()))
    child.once('exit', (code) => reject(new Error(`The engine ended with ${code}`)))
  })
}

const PROGRAM = `
import { createServer } from 'node:http'
const [port, driver, engine] = process.argv.slice(2)
const { Surreal } = await import(driver)
const { createNodeEngines } = await import(engine)
const open = new Map()
function database(namespace, name) {
  const key = namespace + '/' + name
  if (!open.has(key)) open.set(key, (async () => {
    const db = new Surreal({ engines: createNodeEngines() })
    await db.connect('mem://')
    await db.use({ namespace, database: name })
    return db
  })())
  return open.get(key)
}
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const answer = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  if (request.url !== '/rpc' || request.headers.authorization !== 'Basic ' + btoa('root:secret'))
    return answer(401, { code: 401, information: 'There was a problem with authentication' })
  const { id, params: [sql, variables] } = JSON.parse(body)
  try {
    const db = await database(request.headers['surreal-ns'], request.headers['surreal-db'])
    const results = await db.query(sql, variables)
    answer(200, { id, result: results.map((result) => ({ status: 'OK', result: result ?? null, time: '0ns' })) })
  } catch (error) {
    answer(200, { id, error: { code: -32000, message: String(error.message) } })
  }
})
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port))
`
