// The layout of the cluster graph beside the page's own thread: a request in, its graph out.
import { layOutGraph, type Graph, type Part } from './layout.ts';

export interface LayoutRequest {
  number: number;
  parts: Part[];
  width: number;
}

export interface LayoutAnswer {
  number: number;
  graph: Graph;
}

self.onmessage = ({ data: { number, parts, width } }: MessageEvent<LayoutRequest>) => {
  const answer: LayoutAnswer = { number, graph: layOutGraph(parts, width) };
  self.postMessage(answer);
};
