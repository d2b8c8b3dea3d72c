import { request } from 'node:http'

export type RawResponse = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: string
}

/** A request with any headers at all, `Host` included, which browsers and fetch do not let one choose. */
export function rawRequest(
  address: string,
  options: {
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly body?: string
    /** Address of this machine that the request comes from. */
    readonly localAddress?: string
  } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(
      address,
      {
        method: options.method ?? 'GET',
        headers: options.headers,
        ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress, agent: false }),
      },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(options.body)
  })
}
