"""One byte-level BPE tokenizer for both languages, saved so that AutoTokenizer loads it without a network.

Every text survives the round trip, because the alphabet is the 256 bytes and nothing is normalised. A text begins
with BOS when it is encoded; a story ends with EOS.
"""

from collections.abc import Iterable

from tokenizers import Tokenizer, decoders, pre_tokenizers, processors
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer
from transformers import PreTrainedTokenizerFast

BOS, EOS = "<s>", "</s>"
BOS_ID, EOS_ID = 0, 1
CONTEXT = 1024


def train_tokenizer(texts: Iterable[str], *, size: int) -> PreTrainedTokenizerFast:
    """A tokenizer of at most `size` tokens learnt from the texts; the same texts give the same tokenizer."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = BpeTrainer(
        vocab_size=size,
        special_tokens=[BOS, EOS],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{BOS} $A", special_tokens=[(BOS, BOS_ID)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=BOS,
        eos_token=EOS,
        pad_token=EOS,
        clean_up_tokenization_spaces=False,
        model_max_length=CONTEXT,
    )
