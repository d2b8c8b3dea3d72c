/** Names of languages and their libraries that every session of a kind of work has. They come from no memory. */
const NAMES =
  'console.log console.error console.warn process.env process.exit process.argv JSON.stringify ' +
  'JSON.parse Object.keys Object.entries Object.values Object.assign Array.isArray Array.from ' +
  'Math.max Math.min Math.floor Math.round Promise.all Promise.resolve Date.now module.exports ' +
  'React.useState useState useEffect useMemo useCallback className onClick onChange toString ' +
  'instanceof innerHTML addEventListener document.getElementById querySelector setTimeout ' +
  'clearTimeout setInterval __init__ __main__ __name__ os.path os.environ sys.argv sys.exit ' +
  'self.assertEqual fmt.Println fmt.Sprintf fmt.Errorf std::string std::vector String::from println ' +
  'PartialEq PartialOrd HashMap HashSet VecDeque PhantomData node_modules requirements.txt main.go ' +
  'useRef useContext useReducer useLayoutEffect useTransition forwardRef createContext ' +
  'createElement createRoot defaultValue onSubmit onKeyDown onMouseEnter onMouseLeave onFocus ' +
  'onBlur htmlFor dangerouslySetInnerHTML preventDefault stopPropagation getElementById ' +
  'querySelectorAll removeEventListener appendChild textContent classList clearInterval ' +
  'requestAnimationFrame setImmediate nextTick parseInt parseFloat isNaN hasOwnProperty indexOf ' +
  'lastIndexOf forEach findIndex flatMap toLowerCase toUpperCase toFixed toISOString startsWith ' +
  'endsWith padStart padEnd replaceAll trimStart trimEnd charCodeAt charAt fromEntries allSettled ' +
  'beforeEach afterEach beforeAll afterAll toBeUndefined toBeDefined toBeNull toBeTruthy toBeFalsy ' +
  'toEqual toStrictEqual toContain toHaveLength toThrow toMatchObject toHaveBeenCalled ' +
  'toHaveBeenCalledWith toHaveBeenCalledTimes toBeInTheDocument mockReturnValue mockResolvedValue ' +
  'mockRejectedValue mockImplementation readFile readFileSync writeFile writeFileSync existsSync ' +
  'mkdirSync readdirSync statSync createReadStream execSync spawnSync __dirname __filename __file__ ' +
  '__str__ __repr__ __len__ __enter__ __exit__ __call__ __all__ staticmethod classmethod isinstance ' +
  'issubclass hasattr getattr setattr ValueError NoneType dataclass defaultdict OrderedDict TypeVar ' +
  'IntoIterator ToString AsRef FromStr unwrap_or unwrap_or_else unwrap_or_default ok_or_else ' +
  'map_err and_then as_str as_ref as_mut to_string to_owned into_iter iter_mut is_empty is_some ' +
  'is_none is_err push_str with_capacity read_to_string static_cast dynamic_cast reinterpret_cast ' +
  'unique_ptr shared_ptr make_unique make_shared size_t uint8_t uint16_t uint32_t uint64_t int32_t ' +
  'int64_t Content-Type User-Agent application/json text/html text/plain __tests__'

/** Files and folders that a system or a tool expects under this name. */
const FILES =
  '/dev/null /bin/bash /bin/sh /usr/bin/env /tmp package.json package-lock.json tsconfig.json ' +
  'README.md index.ts index.js index.html Cargo.toml Cargo.lock mod.rs lib.rs main.rs src/lib.rs ' +
  'src/main.rs src/index.ts main.py __init__.py setup.py pyproject.toml go.mod .gitignore .env ' +
  '.github/workflows .github/workflows/ci.yml CLAUDE.md AGENTS.md LICENSE.md CHANGELOG.md ' +
  'CONTRIBUTING.md .cargo/config.toml rust-toolchain.toml build.rs src/main.ts src/index.js ' +
  'src/index.tsx src/App.tsx src/app.ts src/main.py main.ts app.py conftest.py setup.cfg tox.ini ' +
  'pytest.ini yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock turbo.json vite.config.ts ' +
  'vitest.config.ts jest.config.js next.config.js next.config.ts next-env.d.ts tailwind.config.js ' +
  'tailwind.config.ts postcss.config.js eslint.config.js eslint.config.mjs .eslintrc.json ' +
  '.prettierrc biome.json playwright.config.ts docker-compose.yml docker-compose.yaml .dockerignore ' +
  '.gitattributes .editorconfig .env.local .env.example .npmrc .nvmrc go.sum go.work pom.xml ' +
  'build.gradle settings.gradle Package.swift composer.json src/test src/tests ' +
  '.claude/settings.json .claude/settings.local.json .vscode/settings.json .git/config .git/HEAD ' +
  '.git/hooks /dev/stdin /dev/stdout /dev/stderr /dev/tcp /etc/hosts /etc/passwd /usr/bin ' +
  '/usr/local /usr/local/bin /bin/zsh /usr/bin/python3 ~/.bashrc ~/.zshrc ~/.claude ~/.config ' +
  '~/.ssh ~/.cargo/bin /var/log /proc/cpuinfo'

/** Fields of the files that package managers and compilers read (package.json, tsconfig.json). */
const FIELDS =
  'packageManager dependencies devDependencies peerDependencies optionalDependencies bundledDependencies ' +
  'peerDependenciesMeta publishConfig sideEffects typesVersions compilerOptions noEmit noEmitOnError ' +
  'skipLibCheck strictNullChecks noImplicitAny noUnusedLocals noUnusedParameters esModuleInterop ' +
  'allowSyntheticDefaultImports moduleResolution resolveJsonModule isolatedModules declarationMap ' +
  'sourceMap removeComments experimentalDecorators emitDecoratorMetadata baseUrl rootDir outDir ' +
  'typeRoots tsBuildInfoFile forceConsistentCasingInFileNames noFallthroughCasesInSwitch ' +
  'noUncheckedIndexedAccess exactOptionalPropertyTypes verbatimModuleSyntax useDefineForClassFields'

export const FIELDS_OF_FILES: ReadonlySet<string> = new Set(FIELDS.split(' '))

/** Names that a model writes without any conversation. */
export const COMMON_NAMES: ReadonlySet<string> = new Set(`${NAMES} ${FILES}`.split(' '))
