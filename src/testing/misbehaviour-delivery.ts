import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { unreachable } from "../domain/unreachable.ts";
import type { Answer } from "./misbehaviour-answer.ts";

/** Between two bytes of a slow answer, in milliseconds. */
const SLOW_MS = 50;
/** Bytes of a piece that cuts characters in half. */
const PIECE_BYTES = 7;
/** A gigabyte, in blocks of a megabyte, of which there is only ever one. */
const BLOCKS = 1_024;
const BLOCK_BYTES = 1_048_576;

/** Sends an answer. What is endless or huge is made as the client takes it, and stops with its connection. */
export function deliver(response: ServerResponse, answer: Answer): void {
  const { body, delivery } = answer;
  const half = body.subarray(0, Math.ceil(body.length / 2));
  switch (delivery) {
    case "silence":
      break;
    case "reset":
      response.socket?.resetAndDestroy();
      break;
    case "whole":
      head(response, answer, body.length);
      response.end(body);
      break;
    case "cut":
      head(response, answer, body.length);
      // What was written has to leave before the connection breaks, or the client sees no beginning.
      response.write(half, () => response.destroy());
      break;
    case "hang":
      head(response, answer, null);
      response.write(half);
      break;
    case "slow":
      head(response, answer, null);
      drip(response, body);
      break;
    case "pieces":
      head(response, answer, null);
      pump(response, piecesOf(body));
      break;
    case "white_space":
      head(response, answer, null);
      pump(response, afterWhiteSpace(body));
      break;
    case "bomb":
      head(response, answer, null);
      pump(response, bomb());
      break;
    case "endless":
      head(response, answer, null);
      pump(response, endless(body));
      break;
    default:
      unreachable(delivery);
  }
}

/** Without a length the body is chunked, and ends when it says so. */
function head(response: ServerResponse, { status, headers }: Answer, bytes: number | null): void {
  response.writeHead(status, bytes === null ? headers : { ...headers, "content-length": String(bytes) });
}

/** Writes blocks as fast as the client takes them and no faster, and forgets the rest where it goes away. */
function pump(response: ServerResponse, blocks: Iterator<Buffer>): void {
  for (;;) {
    if (response.destroyed) return;
    const next = blocks.next();
    if (next.done === true) {
      response.end();
      return;
    }
    if (!response.write(next.value)) break;
  }
  response.once("drain", () => pump(response, blocks));
}

function drip(response: ServerResponse, body: Buffer): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < body.length) response.write(body.subarray(at, at + 1));
    else response.end();
    at += 1;
  }, SLOW_MS);
  response.once("close", () => clearInterval(timer));
}

function* piecesOf(body: Buffer): Iterator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES);
}

function* afterWhiteSpace(body: Buffer): Iterator<Buffer> {
  const block = Buffer.alloc(BLOCK_BYTES, " ");
  for (let i = 0; i < BLOCKS; i++) yield block;
  yield body;
}

/** What keeps a stream alive, and says nothing that would end it. */
const COMMENT_BYTES = 4_096;

/** The start of a stream, and then without end what its client would wait for as long as it comes. */
function* endless(start: Buffer): Iterator<Buffer> {
  yield start;
  const comment = `: ${".".repeat(COMMENT_BYTES)}\n\n`;
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "." }, finish_reason: null }] })}\n\n`;
  const block = Buffer.from((comment + piece).repeat(16));
  for (;;) yield block;
}

/** Members of a gzip file may follow one another, so one block that was packed once is sent over and over. */
function* bomb(): Iterator<Buffer> {
  const block = gzipSync(Buffer.alloc(BLOCK_BYTES, " "));
  for (let i = 0; i < BLOCKS; i++) yield block;
}
