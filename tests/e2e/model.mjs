// A model that says what a script tells it to, for driving a real client without a network.
//
//   node model.mjs SCRIPT PORT-FILE REPORT
//
// SCRIPT is JSON: an object of conversations, each a list of turns. A conversation is chosen by the
// word `talk:NAME` in its first message of a user, `main` without one. A turn is a text, or
//
//   {"outside": "shell command", "call": "Bash", "with": {…}}     or  {"calls": [{"call": …}, …]}
//
// `outside` runs here, outside of any session, before the answer is given; its output is reported.
// ${LAST/regular expression/} in a value of `with` is the first group of that expression in the
// newest result. The turn is the number of answers that the conversation holds already, so
// --continue goes on with the next one.
//
// REPORT gets what a test looks at, a line each: what was run, every result of a tool once, and
// whether the system prompt named nd7, for every message of a user.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [script, portFile, reportFile] = process.argv.slice(2);
const conversations = JSON.parse(readFileSync(script, 'utf8'));
const report = (line) => appendFileSync(reportFile, `${line}\n`);
const reported = new Set();
let made = 0;

function textOf(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => part.text ?? textOf(part.content)).join('\n');
}

function results(messages) {
  const found = [];
  for (const message of messages) {
    if (message.role !== 'user' || !Array.isArray(message.content)) continue;
    for (const part of message.content) {
      if (part.type === 'tool_result') found.push(part);
    }
  }
  return found;
}

function reportResults(name, messages) {
  for (const part of results(messages)) {
    if (reported.has(part.tool_use_id)) continue;
    reported.add(part.tool_use_id);
    const kind = part.is_error ? 'failed' : 'result';
    report(`${name} ${kind}: ${textOf(part.content).trimEnd()}`);
  }
}

function fill(value, last) {
  if (typeof value === 'string') {
    return value.replace(/\$\{LAST\/(.*?)\/\}/g, (_, pattern) => new RegExp(pattern).exec(last)?.[1] ?? '');
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, last));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, last)]));
}

function runOutside(command) {
  let output;
  try {
    output = execFileSync('/bin/sh', ['-c', `${command} 2>&1`], { encoding: 'utf8', timeout: 20000 });
  } catch (error) {
    output = `${error.stdout ?? ''}code ${error.status}`;
  }
  report(`outside: ${output.trimEnd()}`);
}

function answer(request) {
  // A request without tools is the client's own: a title for the conversation, and the like.
  if (!request.tools?.length) return [{ type: 'text', text: 'nothing' }];
  const { messages } = request;
  const opening = textOf(messages.find((message) => message.role === 'user')?.content);
  const name = /talk:(\w+)/.exec(opening)?.[1] ?? 'main';
  reportResults(name, messages);
  const at = messages.filter((message) => message.role === 'assistant').length;
  if (results(messages.slice(-1)).length === 0) {
    report(`${name} prompt: ${/nd7's kernel sandbox/.test(textOf(request.system)) ? 'names nd7' : 'plain'}`);
  }
  const turn = conversations[name]?.[at] ?? 'finished';
  if (typeof turn === 'string') return [{ type: 'text', text: turn }];
  if (turn.outside) runOutside(turn.outside);
  const last = textOf(results(messages).at(-1)?.content);
  return (turn.calls ?? [turn]).map((one) =>
    one.call
      ? { type: 'tool_use', id: `toolu_nd7_${process.pid}_${(made += 1)}`, name: one.call, input: fill(one.with ?? {}, last) }
      : { type: 'text', text: 'on' },
  );
}

function events(message) {
  const { content, ...head } = message;
  const list = [{ type: 'message_start', message: { ...head, content: [], stop_reason: null } }];
  content.forEach((part, index) => {
    const isCall = part.type === 'tool_use';
    list.push({ type: 'content_block_start', index, content_block: isCall ? { ...part, input: {} } : { type: 'text', text: '' } });
    list.push({
      type: 'content_block_delta',
      index,
      delta: isCall
        ? { type: 'input_json_delta', partial_json: JSON.stringify(part.input) }
        : { type: 'text_delta', text: part.text },
    });
    list.push({ type: 'content_block_stop', index });
  });
  list.push({ type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  list.push({ type: 'message_stop' });
  return list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

const server = createServer(async (request, response) => {
  const blocks = [];
  for await (const block of request) blocks.push(block);
  const path = new URL(request.url, 'http://model').pathname;
  if (request.method !== 'POST' || !path.startsWith('/v1/messages')) {
    response.writeHead(path === '/' || path === '/api/hello' ? 200 : 404, { 'content-type': 'application/json' });
    response.end('{}');
    return;
  }
  if (path.endsWith('/count_tokens')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"input_tokens":1}');
    return;
  }
  const body = JSON.parse(Buffer.concat(blocks).toString('utf8'));
  const content = answer(body);
  const message = {
    id: `msg_nd7_${(made += 1)}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content,
    stop_reason: content.some((part) => part.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
  if (body.stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(events(message));
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(message));
  }
});
server.listen(0, '127.0.0.1', () => writeFileSync(portFile, String(server.address().port)));
