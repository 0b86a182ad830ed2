import { expect, test } from "vitest";
import { EventStream } from "./event-stream.ts";

test("G1 events are reassembled from any chunks, and comments are dropped", () => {
  const text = ': ping\n\nevent: message\ndata: {"a":1}\n\nid: 7\r\ndata: first\r\ndata: second\r\n\r\ndata:\n\n';
  for (let size = 1; size <= text.length; size++) {
    const heard: string[] = [];
    const events = new EventStream((data) => heard.push(data));

    for (let at = 0; at < text.length; at += size) events.push(text.slice(at, at + size));

    expect(heard).toEqual(['{"a":1}', "first\nsecond"]);
  }
});
