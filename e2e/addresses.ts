const port = Number(process.env.PLIMSOLL_E2E_PORT)

/** The dashboard on the demo store; what relative addresses of a test lead to. */
export const DEMO_URL = `http://127.0.0.1:${port}`
/** The one that finds no store at all. */
export const EMPTY_URL = `http://127.0.0.1:${port + 1}`
/** Free for a server that a test starts itself. */
export const OWN_PORT = port + 2
