import { formsOfName } from './name-forms'

/** Languages, programs and services whose names are written in several capitals. */
const PROGRAMS =
  'TypeScript JavaScript CoffeeScript PowerShell GitHub GitLab BitBucket OpenAI OpenRouter DeepSeek ChatGPT ' +
  'PostgreSQL MySQL SQLite MongoDB GraphQL DynamoDB BigQuery ClickHouse CloudFront CloudWatch CloudFlare ' +
  'RabbitMQ WebSocket WebSockets WebAssembly WebRTC OAuth LangChain LangGraph LangSmith LangFuse LangWatch ' +
  'LlamaIndex HuggingFace PyTorch TensorFlow NumPy SciPy OpenCV FastAPI OpenAPI OpenTelemetry TypeORM NestJS ' +
  'Next.js Node.js Vue.js Nuxt.js Express.js jQuery VSCode JetBrains IntelliJ SwiftUI AppKit UIKit macOS iPhone ' +
  'YouTube LinkedIn StackOverflow WhatsApp WalletConnect MetaMask DevOps PlayStation JUnit PyTest ESLint'

/** What records, settings and files have in every project, in two words. */
const FIELDS =
  'session id,user id,project id,task id,job id,run id,node id,parent id,client id,request id,message id,event id,' +
  'trace id,span id,order id,tool id,call id,file name,file path,file size,file type,file names,file paths,' +
  'content type,created at,updated at,deleted at,started at,ended at,start time,end time,start date,end date,' +
  'error message,error code,error type,status code,exit code,is valid,is empty,is active,is enabled,is open,' +
  'is loading,is error,has error,base url,base path,base ref,head ref,api key,api url,api base,access token,' +
  'refresh token,max tokens,max length,max size,max retries,max results,retry count,page size,page number,next page,' +
  'total count,total tokens,input tokens,output tokens,line number,line numbers,row count,item count,first name,' +
  'last name,full name,display name,user name,host name,phone number,email address,default value,default values,' +
  'current user,current time,last modified,in progress,not found,pull request,pull requests,test case,test cases,' +
  'test data,temp dir,work dir,root dir,home dir,output dir,output path,output file,input path,input file,' +
  'config file,config path,config dir,log level,log file,log path,on close,on open,on error,on success,data type,' +
  'type name,class names,method name,function name,key name,field name,table name,column name,query params,' +
  'search query,response body,request body,response text,event type,event name,message type,tool name,tool call,' +
  'tool calls,model name,model id,cache key,commit hash,commit message,branch name,repo name,repo url,' +
  'working directory,time zone,date time,sort order,sort by,group by,order by,new value,old value,new string,' +
  'old string,first line,last line,start index,end index,is visible,is required,read only,short name,long name'

/** Settings of well-known services, as programs read them from their surroundings. */
const SETTING =
  /^(?:OPENAI|ANTHROPIC|GEMINI|GOOGLE|AZURE|AWS|GITHUB|GITLAB|NODE|NPM|PYTHON|GIT|DATABASE|POSTGRES|REDIS|NEXT_PUBLIC|VITE)_[A-Z_]+$/
/** A field of a variable that has no name to speak of: `msg.Type`, `wt.Filesystem.Root`. */
const OF_SHORT = /^[a-z]{1,3}(?:\.[A-Z]\w*)+$/

/** Go and others write what is short in capitals: `sessionID`. */
const SHORT = /(Id|Url|Api)(?=[A-Z]|$)/g

const USUAL: ReadonlySet<string> = new Set([
  ...PROGRAMS.split(' '),
  ...FIELDS.split(',').flatMap((field) => usualForms(field.split(' '))),
])

/** Whether every project may have a name: it is written without this conversation. */
export function isUsualName(name: string): boolean {
  return USUAL.has(name) || SETTING.test(name) || OF_SHORT.test(name)
}

function usualForms(words: readonly string[]): string[] {
  return formsOfName(words).flatMap((name) => [name, name.replace(SHORT, (short) => short.toUpperCase())])
}
