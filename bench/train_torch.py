#!/usr/bin/env python3
"""How many samples a second PyTorch learns: the two small networks of seed 002, written as its users
write them, with its own Adam, on random inputs. The peer of `aleph train speed`.

    bench/train_torch.py policy-cnn-small|policy-transformer-small [BATCH] [STEPS] [THREADS]
"""

import sys
import time

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.dropout = nn.Dropout2d(0.1)

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(x + self.dropout(self.norm2(self.conv2(y))))


class Cnn(nn.Module):
    def __init__(self, channels=64, blocks=6):
        super().__init__()
        self.start = nn.Conv2d(18, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.heads = nn.ModuleList(
            nn.Sequential(nn.Conv2d(channels, 2, 1, bias=False), nn.BatchNorm2d(2), nn.ReLU())
            for _ in range(2))

    def forward(self, x):
        x = self.blocks(F.relu(self.norm(self.start(x))))
        return [head(x)[:, 0].flatten(1) for head in self.heads]

    @staticmethod
    def inputs(batch):
        return (torch.rand(batch, 18, 8, 8) < 0.1).float()


class Transformer(nn.Module):
    def __init__(self, width=128, layers=4, heads=4, hidden=512):
        super().__init__()
        self.words = nn.ModuleList(nn.Embedding(n, width) for n in (2, 2, 2, 2, 2, 14))
        self.positions = nn.Embedding(69, width)
        self.scale = width**0.5
        self.dropout = nn.Dropout(0.1)
        layer = nn.TransformerEncoderLayer(
            width, heads, hidden, dropout=0.1, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, norm=nn.LayerNorm(width))
        self.heads = nn.ModuleList(nn.Linear(width, 1) for _ in range(2))

    def forward(self, tokens):
        parts = [table(tokens[:, i:i + 1]) for i, table in enumerate(self.words[:5])]
        x = torch.cat(parts + [self.words[5](tokens[:, 5:])], 1)
        x = self.layers(self.dropout((x + self.positions.weight) * self.scale))[:, 5:]
        return [head(x).squeeze(2) for head in self.heads]

    @staticmethod
    def inputs(batch):
        return torch.cat([torch.randint(2, (batch, 5)), torch.randint(14, (batch, 64))], 1)


def smoothed_cross_entropy(logits, targets, epsilon=0.1):
    log_shares = F.log_softmax(logits, -1)
    smooth = torch.full_like(log_shares, epsilon / (logits.shape[1] - 1))
    smooth.scatter_(1, targets.unsqueeze(1), 1 - epsilon)
    return -(smooth * log_shares).sum(-1).mean()


def main():
    name = sys.argv[1]
    batch, steps, threads = (int(word) for word in (sys.argv[2:] + ["256", "5", "2"][len(sys.argv) - 2:]))
    torch.set_num_threads(threads)
    model = {"policy-cnn-small": Cnn, "policy-transformer-small": Transformer}[name]()
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    inputs = model.inputs(batch)
    targets = [torch.randint(64, (batch,)) for _ in range(2)]
    best = 0.0
    for step in range(steps + 1):
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = sum(smoothed_cross_entropy(logits, target)
                   for logits, target in zip(model(inputs), targets))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step > 0:
            best = max(best, batch / (time.perf_counter() - start))
    print(f"{name}: {best:.1f} samples a second, PyTorch {torch.__version__}, {threads} threads")


if __name__ == "__main__":
    main()
