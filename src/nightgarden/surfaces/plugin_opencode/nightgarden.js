// nightgarden for OpenCode: carries events to the daemon and puts its answers where the model sees them.
// It answers within a deadline or stays silent, and never throws but to stop a tool that memory speaks against.
// Written by `nightgarden connect opencode`; `nightgarden disconnect opencode` takes it away.
import { spawn } from "node:child_process"
import fs from "node:fs"
import net from "node:net"
import path from "node:path"

const PROGRAM = ["nightgarden", "hook"]
const HOME = "~/.local/share/nightgarden"
// In ms, as the hook's own process has them: a tool that memory may forbid waits longer than a prompt.
const DEADLINES = { SessionStart: 600, UserPromptSubmit: 250, PreToolUse: 1000 }
const DEADLINE = 250
const DEADLINE_MAX = 4000

function deadlineOf(event) {
  const patience = Math.max(1, Number(process.env.NIGHTGARDEN_HOOK_PATIENCE) || 1)
  return Math.min(DEADLINE_MAX, patience * (DEADLINES[event] ?? DEADLINE))
}

function ownVariables() {
  const own = Object.entries(process.env).filter(([name]) => name.startsWith("NIGHTGARDEN_") && name !== "NIGHTGARDEN_HOME")
  return Object.fromEntries(own)
}

// The hook's own process: starts a daemon when none is there, and keeps on disk what must not be lost.
function leave(event, data) {
  try {
    const child = spawn(PROGRAM[0], [...PROGRAM.slice(1), event, "opencode"], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    })
    child.on("error", () => {})
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(data))
    child.unref()
  } catch {}
}

function ask(event, data) {
  return new Promise((resolve) => {
    let connection
    let timer
    const finish = (answer, reachable) => {
      clearTimeout(timer)
      connection?.destroy()
      if (!reachable) leave(event, data)
      resolve(answer)
    }
    const deadline = deadlineOf(event)
    const began = Date.now()
    timer = setTimeout(() => {
      // Far too late: the client itself was busy and the daemon was not even asked. It gets its time once.
      if (Date.now() - began > 2 * deadline) timer = setTimeout(() => finish({}, false), deadline)
      else finish({}, false)
    }, deadline)
    try {
      const address = JSON.parse(fs.readFileSync(path.join(HOME, "daemon", "address.json"), "utf8"))
      const request = {
        id: 1,
        op: "hook",
        arguments: { client: "opencode", event, data },
        directory: data.cwd,
        env: ownVariables(),
        deadline_ms: deadline,
      }
      if (address.tcp) request.token = fs.readFileSync(path.join(HOME, "daemon", "token"), "utf8").trim()
      connection = address.tcp ? net.connect(address.tcp[1], address.tcp[0]) : net.connect(address.socket)
      let received = ""
      connection.setEncoding("utf8")
      connection.on("connect", () => connection.write(JSON.stringify(request) + "\n"))
      connection.on("data", (piece) => {
        received += piece
        const end = received.indexOf("\n")
        if (end < 0) return
        try {
          const answer = JSON.parse(received.slice(0, end))
          finish(answer.ok && answer.result.stdout ? JSON.parse(answer.result.stdout) : {}, true)
        } catch {
          finish({}, true)
        }
      })
      connection.on("error", () => finish({}, false))
    } catch {
      finish({}, false)
    }
  })
}

function wordsOf(parts) {
  return parts
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n")
}

// OpenCode asks a small model for a title with these words; memory is nothing to that.
const TITLES = /^you are a title generator/i

export const Nightgarden = async ({ directory, client }) => {
  const briefings = new Map() // of each session, asked for once and again after a compaction
  const answers = new Map() // the last text of each session's agent
  const warnings = new Map() // what memory has against tools that run now: the model reads it with their output
  const about = (sessionID, more) => ({ session_id: sessionID ?? "", cwd: directory, ...more })
  const brief = (sessionID, source) => {
    if (briefings.size > 64) briefings.clear()
    const briefing = ask("SessionStart", about(sessionID, { source }))
    briefings.set(sessionID, briefing)
    return briefing.then(tell)
  }
  // For the user, in a corner of the screen; where there is no screen, nobody sees it.
  const tell = ({ note }) => {
    try {
      if (note) client?.tui?.showToast({ body: { message: note, variant: "info" } })?.catch?.(() => {})
    } catch {}
  }
  return {
    "chat.message": async (input, output) => {
      const sessionID = input.sessionID ?? output.message?.sessionID
      if (!briefings.has(sessionID)) await brief(sessionID, "startup") // first, so that nothing in it comes twice
      const attachments = output.parts.filter((part) => part.type === "file").length
      const answer = await ask("UserPromptSubmit", about(sessionID, { prompt: wordsOf(output.parts), attachments }))
      tell(answer)
      const { context } = answer
      if (!context) return
      const id = `prt_${Date.now().toString(16)}${Math.random().toString(36).slice(2, 12)}`
      const messageID = output.message?.id ?? input.messageID
      output.parts.push({ id, sessionID, messageID, type: "text", text: context, synthetic: true })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const sessionID = input?.sessionID
      if (!sessionID || output.system.some((text) => TITLES.test(text))) return
      if (!briefings.has(sessionID)) brief(sessionID, "startup")
      const { context } = await briefings.get(sessionID)
      if (context) output.system.push(context)
    },
    "tool.execute.before": async (input, output) => {
      const data = about(input.sessionID, { tool_name: input.tool, tool_input: output.args ?? {} })
      const answer = await ask("PreToolUse", data)
      tell(answer)
      if (answer.deny) throw new Error(answer.deny)
      if (warnings.size > 64) warnings.clear()
      if (answer.context) warnings.set(input.callID, answer.context)
    },
    "tool.execute.after": async (input, output) => {
      const said = String(output?.output ?? "").slice(-4000)
      const warning = warnings.get(input.callID)
      warnings.delete(input.callID)
      if (warning && output) output.output = `${output.output}\n${warning}`
      const data = about(input.sessionID, { tool_name: input.tool, tool_input: input.args ?? {}, tool_response: said })
      if (!output?.metadata?.exit) {
        ask("PostToolUse", data) // nobody waits for it
        return
      }
      const { context } = await ask("PostToolUseFailure", data)
      if (context) output.output = `${output.output}\n${context}`
    },
    "experimental.session.compacting": async (input, output) => {
      const { instructions } = await ask("PreCompact", about(input.sessionID, {}))
      if (instructions) output.context.push(instructions)
    },
    event: async ({ event }) => {
      const sessionID = event.properties?.sessionID ?? event.properties?.part?.sessionID
      if (event.type === "message.part.updated" && event.properties?.part?.type === "text") {
        if (answers.size > 64) answers.clear()
        answers.set(sessionID, event.properties.part.text)
      }
      if (event.type === "session.compacted") brief(sessionID, "compact")
      // By a process of its own, because a client that was asked one thing ends right after.
      if (event.type === "session.idle") leave("Stop", about(sessionID, { last_assistant_message: answers.get(sessionID) ?? "" }))
    },
  }
}
